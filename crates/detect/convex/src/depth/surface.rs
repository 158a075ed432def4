//! A closed surface of triangles whose corners are points of the difference: grown around the origin, it bounds the depth
//! from below.

use crate::difference::Spot;
use kontakt_math::predicates::orient3d;
use kontakt_math::{DVec3, Sign, U};

const LANES: usize = 8;
const NONE: u16 = u16::MAX;
/// Corners a surface may have; its faces are numbered by 16 bits.
pub(crate) const MOST_SPOTS: usize = 30_000;

/// Eight faces' planes side by side. A free place has an infinite `key` and lets no point see it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Block {
    pub(super) x: [f64; LANES],
    pub(super) y: [f64; LANES],
    pub(super) z: [f64; LANES],
    /// Greatest normal · corner.
    pub(super) far: [f64; LANES],
    /// Least normal · corner: the triangle keeps at least this distance from the origin, whatever its normal is.
    near: [f64; LANES],
    /// `near`, or infinite for a face that is done with.
    pub(super) key: [f64; LANES],
}

const FREE: Block = Block {
    x: [0.0; LANES],
    y: [0.0; LANES],
    z: [0.0; LANES],
    far: [f64::INFINITY; LANES],
    near: [f64::INFINITY; LANES],
    key: [f64::INFINITY; LANES],
};

/// Corners counter-clockwise from outside; `across[i]` is the face beyond the edge from corner i to the next.
#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u16; 3],
    across: [u16; 3],
    /// It turns about the origin in the positive sense, for certain.
    sure: bool,
}

/// An edge of the faces about to go, and what lies beyond it.
#[derive(Clone, Copy, Debug)]
struct Rim {
    from: u16,
    to: u16,
    beyond: u16,
}

/// The surface. Its memory is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    spots: Vec<Spot>,
    keys: Vec<u64>,
    faces: Vec<Face>,
    blocks: Vec<Block>,
    free: Vec<u16>,
    seen: Vec<u8>,
    patch: Vec<u16>,
    rim: Vec<Rim>,
    rim_at: Vec<u16>,
    taken: Vec<u8>,
    /// Whether some face that reached the origin's side was replaced since the surface was last shown to go around it.
    suspect: bool,
}

/// What came of adding a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The surface has grown.
    Yes,
    /// The point is a corner already.
    Known,
    /// No memory for more.
    Full,
}

impl Surface {
    /// The surface of a tetrahedron, its fourth corner below the others' plane (seen counter-clockwise).
    pub fn reset(&mut self, corners: [Spot; 4]) {
        self.spots.clear();
        self.keys.clear();
        self.faces.clear();
        self.blocks.clear();
        self.free.clear();
        self.rim_at.clear();
        self.suspect = true;
        for spot in corners {
            self.push_spot(spot);
        }
        self.blocks.push(FREE);
        self.seen.clear();
        self.seen.push(0);
        for (corners, across) in
            [([0, 1, 2], [1, 2, 3]), ([1, 0, 3], [0, 3, 2]), ([2, 1, 3], [0, 1, 3]), ([0, 2, 3], [0, 2, 1])]
        {
            self.faces.push(Face { corners, across, sure: false });
            let [p, q, r] = self.corners(self.faces.len() - 1);
            self.aim(self.faces.len() - 1, [p.w, q.w, r.w]);
        }
    }

    fn push_spot(&mut self, spot: Spot) {
        self.spots.push(spot);
        self.keys.push(key(&spot));
        self.rim_at.push(NONE);
    }

    /// Numbers of all faces in use.
    pub fn faces(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.faces.len()).filter(|&f| self.blocks[f / LANES].near[f % LANES] != f64::INFINITY)
    }

    /// Numbers of the faces whose `near` is at most this.
    pub(crate) fn faces_up_to(&self, limit: f64) -> impl Iterator<Item = usize> + '_ {
        let lanes = move |block: &Block| {
            (0..LANES).fold(0_u8, |bits, k| bits | u8::from(block.near[k] <= limit) << k)
        };
        self.blocks.iter().map(lanes).enumerate().flat_map(|(number, bits)| {
            (0..LANES).filter(move |k| bits >> k & 1 == 1).map(move |k| number * LANES + k)
        })
    }

    /// Where a face's corners are.
    #[inline]
    pub fn corners(&self, face: usize) -> [Spot; 3] {
        let [p, q, r] = self.faces[face].corners;
        [self.spots[usize::from(p)], self.spots[usize::from(q)], self.spots[usize::from(r)]]
    }

    /// Least and greatest n · corner of a face.
    #[inline]
    fn span_of(&self, face: usize, n: DVec3) -> (f64, f64) {
        let [p, q, r] = self.corners(face);
        span(n, [p.w, q.w, r.w])
    }

    /// The unit vector a face looks along.
    #[inline]
    pub fn normal(&self, face: usize) -> DVec3 {
        let (block, lane) = (&self.blocks[face / LANES], face % LANES);
        DVec3::new(block.x[lane], block.y[lane], block.z[lane])
    }

    /// Least normal · corner of a face.
    #[inline]
    pub fn near(&self, face: usize) -> f64 {
        self.blocks[face / LANES].near[face % LANES]
    }

    /// Whether a corner is at this very place.
    pub fn has_place(&self, w: DVec3) -> bool {
        self.spots.iter().any(|spot| spot.w == w)
    }

    /// The face that is nearest to the origin by `near` among those not done with, if any is left.
    #[inline]
    pub fn nearest(&self) -> Option<(usize, f64)> {
        #[cfg(target_arch = "x86_64")]
        let found =
            super::surface_x86::nearest(&self.blocks).unwrap_or_else(|| nearest_portable(&self.blocks));
        #[cfg(not(target_arch = "x86_64"))]
        let found = nearest_portable(&self.blocks);
        (found.1 < f64::INFINITY).then_some(found)
    }

    /// Whether every ray from the origin hits the surface. A first answer is remembered as long as it holds.
    ///
    /// Proof. The surface is a closed one by construction. If all triangles have a positive orientation about the origin, or
    /// none of it, their signed solid angles add up to 4π times the number of times the surface goes around it, which is
    /// a whole number and not zero. It does not change when faces with n·corner > 0 make room for a fan from a
    /// point with n·w > 0: the tetrahedra swept lie in half-spaces that do not hold the origin. Faces are replaced only by points
    /// beyond them, so all is well unless a face with `near` within the tolerance of zero went, which `suspect` tells.
    pub(crate) fn goes_around_origin(&mut self) -> bool {
        if self.suspect {
            let (mut positive, mut any) = (true, false);
            for (face, Face { corners: [p, q, r], sure, .. }) in self.faces.iter().enumerate() {
                let near = self.near(face);
                if near == f64::INFINITY {
                    continue;
                }
                positive &= near > 0.0;
                if *sure {
                    any = true;
                    continue;
                }
                let at = |k: &u16| self.spots[usize::from(*k)].w;
                let turns = orient3d(at(p), at(q), at(r), DVec3::ZERO);
                positive &= turns != Sign::Negative;
                any |= turns == Sign::Positive;
            }
            let positive = positive && any;
            self.suspect = !positive;
        }
        !self.suspect
    }

    /// A face need not be looked at again; its bound stays.
    pub(crate) fn settle(&mut self, face: usize) {
        self.blocks[face / LANES].key[face % LANES] = f64::INFINITY;
    }

    /// Least n · corner of a face, for any vector n: with a unit vector, a distance the face keeps from the origin.
    #[inline]
    pub(crate) fn least_along(&self, face: usize, n: DVec3) -> f64 {
        self.span_of(face, n).0
    }

    /// Gives a face the normal of its triangle; a triangle that roundings have flattened looks towards its point nearest to
    /// the origin instead.
    #[inline]
    fn aim(&mut self, face: usize, [p, q, r]: [DVec3; 3]) {
        let (u, v) = (q - p, r - p);
        let normal = u.cross(v);
        let (squared, sides) = (normal.length_squared(), u.length_squared() * v.length_squared());
        self.faces[face].sure = false;
        if squared > 1e-24 * sides {
            let unit = normal * (1.0 / squared.sqrt());
            let (near, far) = span(unit, [p, q, r]);
            self.set(face, unit, near, far);
            // The determinant is n·p with the exact n = u × v. Its coordinates, of differences rounded by u, err by at most
            // 4u·2|u||v| each, so n by 14u|u||v|, and n·p by that times |p|; the product of the rounded unit vector with
            // p by 8u|n||p| more. 64u are far beyond.
            let most = (p.x.abs() + p.y.abs() + p.z.abs()) * (64.0 * U);
            self.faces[face].sure = near > 0.0 && near * near * squared > most * most * sides;
        } else {
            self.look(face, nearest_on_longest_side([p, q, r]).normalize_or_zero());
        }
    }

    /// Makes a face look along any unit vector.
    fn look(&mut self, face: usize, normal: DVec3) {
        let (near, far) = self.span_of(face, normal);
        self.set(face, normal, near, far);
    }

    #[inline]
    fn set(&mut self, face: usize, normal: DVec3, near: f64, far: f64) {
        let (block, lane) = (&mut self.blocks[face / LANES], face % LANES);
        (block.x[lane], block.y[lane], block.z[lane]) = (normal.x, normal.y, normal.z);
        block.far[lane] = far;
        block.near[lane] = near;
        block.key[lane] = near;
    }

    /// Lets a face look where its bound is best: like a neighbour or along `hint`. False if that brings less than `gain`.
    pub(crate) fn look_better(&mut self, face: usize, hint: DVec3, gain: f64) -> bool {
        let around = self.faces[face].across.map(|g| self.normal(usize::from(g)));
        let towards = nearest_on_longest_side(self.corners(face).map(|spot| spot.w)).normalize_or_zero();
        let mut best = (self.near(face) + gain, None);
        for normal in around.into_iter().chain([hint, towards]) {
            let bound = self.least_along(face, normal);
            if bound > best.0 {
                best = (bound, Some(normal));
            }
        }
        let Some(normal) = best.1 else { return false };
        self.look(face, normal);
        true
    }

    /// The face that a point is farthest beyond, if by more than the tolerance.
    pub(crate) fn highest_face_below(&self, w: DVec3, tolerance: f64) -> Option<usize> {
        let mut best = (tolerance, None);
        for face in self.faces() {
            let above = self.normal(face).dot(w) - self.blocks[face / LANES].far[face % LANES];
            if above > best.0 {
                best = (above, Some(face));
            }
        }
        best.1
    }

    /// Adds a point beyond a face (`tolerance` tells what is beyond): the faces that the point can see, together with this
    /// one, make room for a fan of triangles from it to their rim.
    #[inline]
    pub fn add(&mut self, spot: Spot, face: usize, tolerance: f64) -> Added {
        let this = key(&spot);
        if self.keys.contains(&this) {
            return Added::Known;
        }
        if self.spots.len() >= MOST_SPOTS {
            return Added::Full;
        }
        self.look_from(spot.w, tolerance);
        self.seen[face / LANES] |= 1 << (face % LANES);
        self.gather(face);
        if !self.is_one_loop() {
            // Roundings tore the patch: the single face is always a disc.
            self.patch.clear();
            self.patch.push(face as u16);
            self.rim.clear();
            self.push_rim(face as u16);
            self.is_one_loop();
        }
        for k in 0..self.patch.len() {
            let gone = usize::from(self.patch[k]);
            let (block, lane) = (&mut self.blocks[gone / LANES], gone % LANES);
            self.suspect |= block.near[lane] <= tolerance;
            block.far[lane] = f64::INFINITY;
            block.near[lane] = f64::INFINITY;
            block.key[lane] = f64::INFINITY;
            (block.x[lane], block.y[lane], block.z[lane]) = (0.0, 0.0, 0.0);
        }
        self.push_spot(spot);
        self.fan();
        Added::Yes
    }

    /// Marks the faces whose plane the point is beyond.
    #[inline]
    fn look_from(&mut self, w: DVec3, tolerance: f64) {
        #[cfg(target_arch = "x86_64")]
        if super::surface_x86::look(&self.blocks, &mut self.seen, w, tolerance) {
            return;
        }
        look_portable(&self.blocks, &mut self.seen, w, tolerance);
    }

    /// Collects the marked faces connected to `face`, and their rim.
    #[inline]
    fn gather(&mut self, face: usize) {
        self.patch.clear();
        self.rim.clear();
        let mut taken = std::mem::take(&mut self.taken);
        taken.clear();
        taken.resize(self.seen.len(), 0);
        taken[face / LANES] |= 1 << (face % LANES);
        self.patch.push(face as u16);
        let mut next = 0;
        while let Some(&current) = self.patch.get(next) {
            next += 1;
            let Face { corners, across, .. } = self.faces[usize::from(current)];
            for side in 0..3 {
                let (other, bit) = (usize::from(across[side]) / LANES, 1 << (across[side] % LANES as u16));
                if self.seen[other] & bit == 0 {
                    self.rim.push(Rim {
                        from: corners[side],
                        to: corners[(side + 1) % 3],
                        beyond: across[side],
                    });
                } else if taken[other] & bit == 0 {
                    taken[other] |= bit;
                    self.patch.push(across[side]);
                }
            }
        }
        self.taken = taken;
    }

    fn push_rim(&mut self, face: u16) {
        let Face { corners, across, .. } = self.faces[usize::from(face)];
        for side in 0..3 {
            self.rim.push(Rim { from: corners[side], to: corners[(side + 1) % 3], beyond: across[side] });
        }
    }

    /// Whether the rim is one loop that visits each corner once. Leaves in `rim_at` which edge starts at a corner.
    #[inline]
    fn is_one_loop(&mut self) -> bool {
        // Roundings may let a point see all faces: there is no rim then.
        let mut simple = !self.rim.is_empty();
        for (k, edge) in self.rim.iter().enumerate() {
            let at = &mut self.rim_at[usize::from(edge.from)];
            simple &= *at == NONE;
            *at = k as u16;
        }
        if simple {
            let (mut count, mut k) = (0, 0);
            loop {
                k = self.rim_at[usize::from(self.rim[k].to)] as usize;
                count += 1;
                if k == 0 || k >= self.rim.len() || count > self.rim.len() {
                    break;
                }
            }
            simple = k == 0 && count == self.rim.len();
        }
        if !simple {
            for edge in &self.rim {
                self.rim_at[usize::from(edge.from)] = NONE;
            }
        }
        simple
    }

    /// Triangles from the last corner to all rim edges, in the places of the patch first.
    #[inline]
    fn fan(&mut self) {
        let apex = (self.spots.len() - 1) as u16;
        let top = self.spots[usize::from(apex)].w;
        self.free.append(&mut self.patch);
        // `patch` now holds the new faces' numbers, by rim edge.
        for _ in 0..self.rim.len() {
            let place = self.free.pop().unwrap_or(self.faces.len() as u16);
            if usize::from(place) == self.faces.len() {
                self.faces.push(Face { corners: [0; 3], across: [0; 3], sure: false });
                if self.faces.len() > self.blocks.len() * LANES {
                    self.blocks.push(FREE);
                    self.seen.push(0);
                }
            }
            self.patch.push(place);
        }
        for k in 0..self.rim.len() {
            let Rim { from, to, beyond } = self.rim[k];
            let place = self.patch[k];
            let following = self.rim_at[usize::from(to)];
            let next = self.patch[usize::from(following)];
            self.faces[usize::from(place)].corners = [from, to, apex];
            self.faces[usize::from(place)].across[0] = beyond;
            self.faces[usize::from(place)].across[1] = next;
            self.faces[usize::from(next)].across[2] = place;
            let outer = &mut self.faces[usize::from(beyond)];
            for side in 0..3 {
                if outer.corners[side] == to && outer.corners[(side + 1) % 3] == from {
                    outer.across[side] = place;
                }
            }
        }
        for k in 0..self.rim.len() {
            let Rim { from, to, .. } = self.rim[k];
            self.rim_at[usize::from(from)] = NONE;
            let [p, q] = [self.spots[usize::from(from)].w, self.spots[usize::from(to)].w];
            self.aim(usize::from(self.patch[k]), [p, q, top]);
        }
    }
}

/// Least and greatest n · x of three points.
#[inline]
fn span(n: DVec3, [p, q, r]: [DVec3; 3]) -> (f64, f64) {
    let (p, q, r) = (n.dot(p), n.dot(q), n.dot(r));
    // Plain comparisons: the standard functions do more for NaN, which ends up as no bound anyway.
    let less = |x: f64, y: f64| if x < y { x } else { y };
    let more = |x: f64, y: f64| if x > y { x } else { y };
    (less(less(p, q), r), more(more(p, q), r))
}

/// The face with the least key, and that key.
fn nearest_portable(blocks: &[Block]) -> (usize, f64) {
    let mut least = [f64::INFINITY; LANES];
    let mut at = [0; LANES];
    for (number, block) in blocks.iter().enumerate() {
        for lane in 0..LANES {
            if block.key[lane] < least[lane] {
                (least[lane], at[lane]) = (block.key[lane], number);
            }
        }
    }
    let mut best = 0;
    for lane in 1..LANES {
        if least[lane] < least[best] {
            best = lane;
        }
    }
    (at[best] * LANES + best, least[best])
}

/// Marks the faces whose plane a point is beyond by more than the tolerance.
fn look_portable(blocks: &[Block], seen: &mut [u8], w: DVec3, tolerance: f64) {
    for (seen, block) in seen.iter_mut().zip(blocks) {
        *seen = 0;
        for lane in 0..LANES {
            let height = block.x[lane] * w.x + block.y[lane] * w.y + block.z[lane] * w.z;
            *seen |= u8::from(height > block.far[lane] + tolerance) << lane;
        }
    }
}

fn key(spot: &Spot) -> u64 {
    u64::from(spot.a) << 32 | u64::from(spot.b)
}

/// The point nearest to the origin on the longest side of a triangle that is hardly more than that side.
fn nearest_on_longest_side([p, q, r]: [DVec3; 3]) -> DVec3 {
    let sides = [(p, q), (q, r), (r, p)];
    let length = |side: &(DVec3, DVec3)| side.0.distance_squared(side.1);
    let (from, to) =
        sides.into_iter().fold(sides[0], |best, s| if length(&s) > length(&best) { s } else { best });
    let along = to - from;
    let squared = along.length_squared();
    let t = if squared > 0.0 { (-from.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    from + along * t
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by bodies of sizes 1e9 and 1e-9: their first tetrahedron is a line to rounding, all its faces look away from the
    /// origin, and a point beyond sees all of them, so that there is no rim.
    #[test]
    fn a_point_may_see_all_faces() {
        let spot = |x: f64, a: u32| Spot { w: DVec3::new(x, 0.0, 0.0), a, b: 0 };
        let mut surface = Surface::default();
        surface.reset([spot(1.0, 0), spot(1.25, 1), spot(1.5, 2), spot(1.0, 3)]);
        surface.look_from(DVec3::new(2.0, 0.0, 0.0), 1e-12);
        assert_eq!(surface.seen, [0b1111]);
        assert_eq!(surface.add(spot(2.0, 4), 1, 1e-12), Added::Yes);
        assert_eq!(surface.faces().count(), 6);
        assert!(!surface.goes_around_origin());
    }
}
