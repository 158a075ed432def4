//! Which spheres are near: a grid over the domain whose cells are at least as wide as the largest sphere, so that spheres in contact are in the same
//! cell or in neighbouring ones.

use crate::domain::Domain;
use kontakt_math::DVec3;

const NONE: u32 = u32::MAX;

/// Most cells along an axis.
const MOST: f64 = 1e5;

#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// How many along each axis.
    counts: [usize; 3],
    /// How wide.
    pub(crate) width: DVec3,
    domain: Domain,
    /// The first sphere of each cell, and the next of the same cell for each sphere.
    heads: Vec<u32>,
    next: Vec<u32>,
    /// Where each sphere is.
    places: Vec<[u32; 3]>,
}

/// What a step of a sphere into a neighbouring cell means.
pub(crate) struct Entered {
    /// By how much its place changes, as it left at one end of the domain and entered at the other.
    pub(crate) shift: f64,
}

impl Cells {
    pub(crate) fn new(domain: &Domain, largest: f64, centres: &[DVec3]) -> Cells {
        let mut cells = Cells::empty(domain, largest, centres.len());
        for (sphere, centre) in centres.iter().enumerate() {
            cells.places[sphere] = cells.place_of(*centre);
            cells.link(sphere);
        }
        cells
    }

    /// With every sphere in the cell that it was in; or the first whose cell there is not.
    pub(crate) fn resumed(domain: &Domain, largest: f64, places: Vec<[u32; 3]>) -> Result<Cells, usize> {
        let mut cells = Cells::empty(domain, largest, places.len());
        let known = |place: &[u32; 3]| (0..3).all(|axis| (place[axis] as usize) < cells.counts[axis]);
        if let Some(unknown) = places.iter().position(|place| !known(place)) {
            return Err(unknown);
        }
        cells.places = places;
        (0..cells.places.len()).for_each(|sphere| cells.link(sphere));
        Ok(cells)
    }

    fn empty(domain: &Domain, largest: f64, spheres: usize) -> Cells {
        let size = domain.size;
        let spacing = (size.x.cbrt() * size.y.cbrt() * size.z.cbrt()) / (spheres as f64).cbrt();
        let mut counts = [1; 3];
        let mut width = size;
        for axis in 0..3 {
            // A little wider than the largest sphere: rounding of places must not bring contact across a whole cell.
            let most = (size[axis] / (largest * (1.0 + 1e-9))).floor().min(MOST);
            let wanted = (size[axis] / spacing).floor();
            let least = if domain.is_periodic(axis) { 3.0 } else { 1.0 };
            counts[axis] = wanted.min(most).max(least) as usize;
            width[axis] = size[axis] / counts[axis] as f64;
        }
        let heads = vec![NONE; counts[0] * counts[1] * counts[2]];
        let (next, places) = (vec![NONE; spheres], vec![[0; 3]; spheres]);
        Cells { counts, width, domain: *domain, heads, next, places }
    }

    /// The cell of a sphere.
    pub(crate) fn place(&self, sphere: usize) -> [u32; 3] {
        self.places[sphere]
    }

    /// The cell of a point of the domain.
    pub(crate) fn place_of(&self, point: DVec3) -> [u32; 3] {
        let place = |axis: usize| {
            let along = (point[axis] / self.width[axis]).floor().max(0.0) as usize;
            along.min(self.counts[axis] - 1) as u32
        };
        [place(0), place(1), place(2)]
    }

    #[inline]
    fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        (z as usize * self.counts[1] + y as usize) * self.counts[0] + x as usize
    }

    fn link(&mut self, sphere: usize) {
        let cell = self.index(self.places[sphere]);
        self.next[sphere] = self.heads[cell];
        self.heads[cell] = sphere as u32;
    }

    fn unlink(&mut self, sphere: usize) {
        let cell = self.index(self.places[sphere]);
        let after = self.next[sphere];
        if self.heads[cell] == sphere as u32 {
            self.heads[cell] = after;
            return;
        }
        let mut other = self.heads[cell] as usize;
        while let Some(&next) = self.next.get(other) {
            if next == sphere as u32 {
                self.next[other] = after;
                return;
            }
            other = next as usize;
        }
    }

    /// The coordinate of the face through which a sphere that flies up or down an axis leaves its cell; none where that is a wall.
    #[inline]
    pub(crate) fn face(&self, sphere: usize, axis: usize, up: bool) -> Option<f64> {
        let place = self.places[sphere][axis] as usize;
        let last = if up { place + 1 == self.counts[axis] } else { place == 0 };
        if last && !self.domain.is_periodic(axis) {
            return None;
        }
        Some((place + usize::from(up)) as f64 * self.width[axis])
    }

    /// A sphere goes through a face.
    pub(crate) fn enter(&mut self, sphere: usize, axis: usize, up: bool) -> Entered {
        self.unlink(sphere);
        let (place, shift) = self.beside(self.places[sphere][axis], axis, if up { 1 } else { -1 });
        self.places[sphere][axis] = place;
        self.link(sphere);
        Entered { shift: -shift }
    }

    /// The cell beside another along an axis, and where it is seen from there: the shift of what is in it.
    #[inline]
    fn beside(&self, place: u32, axis: usize, step: i32) -> (u32, f64) {
        let count = self.counts[axis] as u32;
        match step {
            1 if place + 1 == count => (0, self.domain.size[axis]),
            -1 if place == 0 => (count - 1, -self.domain.size[axis]),
            _ => (place.wrapping_add_signed(step), 0.0),
        }
    }

    /// The cells along an axis in which there may be neighbours, with their shifts.
    #[inline]
    fn around(&self, place: u32, axis: usize, steps: [i32; 2]) -> ([(u32, f64); 3], usize) {
        let mut found = [(0, 0.0); 3];
        let mut count = 0;
        let walled = !self.domain.is_periodic(axis);
        for step in steps[0]..=steps[1] {
            let outside = (step < 0 && place == 0) || (step > 0 && place as usize + 1 == self.counts[axis]);
            if !(walled && outside) {
                found[count] = self.beside(place, axis, step);
                count += 1;
            }
        }
        (found, count)
    }

    /// Tells all spheres of the cells around a sphere's own, with the shift under which each is seen from there. With `entered` only those in the
    /// layer of cells that came near when the sphere went through a face: along that axis, up or down.
    #[inline]
    pub(crate) fn each_near(
        &self,
        sphere: usize,
        entered: Option<(usize, bool)>,
        mut tell: impl FnMut(usize, DVec3),
    ) {
        let place = self.places[sphere];
        let layers = |axis: usize| {
            let steps = match entered {
                Some((along, up)) if along == axis => {
                    if up {
                        [1, 1]
                    } else {
                        [-1, -1]
                    }
                }
                _ => [-1, 1],
            };
            self.around(place[axis], axis, steps)
        };
        let (xs, x_count) = layers(0);
        let (ys, y_count) = layers(1);
        let (zs, z_count) = layers(2);
        for &(z, z_shift) in &zs[..z_count] {
            for &(y, y_shift) in &ys[..y_count] {
                for &(x, x_shift) in &xs[..x_count] {
                    let mut other = self.heads[self.index([x, y, z])];
                    while other != NONE {
                        if other as usize != sphere {
                            tell(other as usize, DVec3::new(x_shift, y_shift, z_shift));
                        }
                        other = self.next[other as usize];
                    }
                }
            }
        }
    }
}
