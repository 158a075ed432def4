//! A piece of a face: a triangle, and how far the true surface may be from it. Split where it bends most, pieces close in on the surface.

use crate::brep::{Brep, Edge};
use crate::sliver::Sliver;
use crate::spine::Spine;
use crate::stretch::Stretch;
use crate::tessellate::{Domain, Tessellation};
use kontakt_math::DVec3;
use kontakt_mesh::face::distance as triangle_distance;

/// What patches are pieces of: the triangles that searches begin with, and the boundary that they are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier<'a> {
    pub(crate) made: &'a Tessellation,
    pub(crate) brep: &'a Brep,
}

/// A piece of a face.
///
/// **What holds**: every point of the piece is within `radius` of the flat triangle. (Not the other way round: along an edge that bends into the
/// face, points of the triangle have no point of the piece over them; how far these may be from the face is told by `Body::off_face`.) The piece is what its parameters' triangle is mapped to, with sides that are borders replaced by the edges themselves. Points
/// between a chord of an edge and the edge are on the way from the one to the other, at the same share: they are within the edge's
/// sagitta of the chord, up to how far the surface bends over that sliver, which is of a higher order; the sagitta is taken twice. (Argued, not proven by intervals: decision 0019. In a plane and along lines of
/// parameters, see [`Sliver`], it is proven.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    pub(crate) corners: [DVec3; 3],
    pub(crate) radius: f64,
    /// The same for the points whose parameters are in the triangle, without the slivers along edges.
    pub(crate) core: f64,
    /// What of the radius no halving makes less: the model's gaps.
    pub(crate) floor: f64,
    pub(crate) face: u32,
    /// The direction along which the triangle deviates from the piece by no more than `floor`, slivers aside: the normal of a plane, the axis
    /// of a cylinder; zero for others.
    pub(crate) straight: DVec3,
    /// What it is swept about, if it is round.
    pub(crate) spine: Option<Spine>,
    at: [[f64; 2]; 3],
    sides: [Option<Stretch>; 3],
    /// How far each corner is off the surface.
    gaps: [f64; 3],
}

impl Patch {
    /// A flat triangle that is the face itself.
    pub(crate) fn flat(corners: [DVec3; 3], face: u32) -> Patch {
        Patch { face, ..Patch::unmeasured(corners) }
    }

    fn unmeasured(corners: [DVec3; 3]) -> Patch {
        Patch {
            corners,
            radius: 0.0,
            core: 0.0,
            floor: 0.0,
            face: 0,
            straight: DVec3::ZERO,
            spine: None,
            at: [[0.0; 2]; 3],
            sides: [None; 3],
            gaps: [0.0; 3],
        }
    }

    /// A leaf of a body's tree: a triangle of its tessellation or, after these, a piece about a pole, whose triangle has no area.
    pub(crate) fn of(on: Carrier, leaf: usize) -> Patch {
        let made = on.made;
        match leaf.checked_sub(made.triangles.len()) {
            None => Patch::over_domain(on, made.triangles[leaf], made.faces[leaf], made.parameters[leaf]),
            Some(index) => {
                let piece = &made.pinched[index];
                Patch::over_domain(on, piece.corners, piece.face, piece.parameters)
            }
        }
    }

    fn over_domain(on: Carrier, ids: [u32; 3], face: u32, at: [[f64; 2]; 3]) -> Patch {
        let made = on.made;
        let corners = ids.map(|id| made.points[id as usize]);
        let domain = &made.domains[face as usize];
        let sides = std::array::from_fn(|k| made.stretch(face, ids[k], ids[(k + 1) % 3], on.brep));
        let gaps = std::array::from_fn(|k| domain.gap(at[k], corners[k]));
        let straight = domain.straight();
        Patch { face, straight, at, sides, gaps, ..Patch::unmeasured(corners) }.measured(on)
    }

    /// The box of its parameters.
    pub(crate) fn over(&self) -> [[f64; 2]; 2] {
        [0, 1].map(|k| {
            let values = self.at.map(|at| at[k]);
            [values[0].min(values[1]).min(values[2]), values[0].max(values[1]).max(values[2])]
        })
    }

    /// The parameters of its corners.
    pub(crate) fn parameters(&self) -> &[[f64; 2]; 3] {
        &self.at
    }

    /// The stretches of edges along its sides.
    pub(crate) fn sides(&self) -> &[Option<Stretch>; 3] {
        &self.sides
    }

    /// A point of the flat triangle near a place.
    pub(crate) fn flat_near(&self, place: DVec3) -> DVec3 {
        let [a, b, c] = self.corners;
        let [x, y, z] = weights(self.corners, place);
        a * x + b * y + c * z
    }

    /// **Never more** than the distance of a place from the flat triangle, up to rounding.
    pub(crate) fn least_distance(&self, place: DVec3) -> f64 {
        triangle_distance(self.corners, [place; 3]).squared.sqrt()
    }

    /// The parameters of the piece nearest to others.
    pub(crate) fn nearest_at(&self, at: [f64; 2]) -> [f64; 2] {
        let lift = |at: [f64; 2]| DVec3::new(at[0], at[1], 0.0);
        let corners = self.at.map(lift);
        let [x, y, z] = weights(corners, lift(at));
        let point = corners[0] * x + corners[1] * y + corners[2] * z;
        [point.x, point.y]
    }

    /// What halving can take from the radius.
    pub(crate) fn excess(&self) -> f64 {
        self.radius - self.floor
    }

    /// The same of what its bound is by.
    pub(crate) fn excess_by(&self, by_spine: bool) -> f64 {
        self.spine.filter(|_| by_spine).map_or(self.excess(), |spine| spine.excess(self.floor))
    }

    /// The parts that the piece is covered by, each a triangle and a radius: its own without slivers, and each side along an edge with
    /// the sliver there.
    pub(crate) fn parts(&self) -> impl Iterator<Item = ([DVec3; 3], f64)> {
        let corners = self.corners;
        let core = std::iter::once((corners, self.core));
        core.chain(self.slivers().map(|([from, to], reach)| ([from, to, to], reach)))
    }

    /// Its sides along edges that bend, and how far what the piece has there may be from them.
    pub(crate) fn slivers(&self) -> impl Iterator<Item = ([DVec3; 2], f64)> {
        let (corners, sides) = (self.corners, self.sides);
        let (radius, core) = (self.radius, self.core);
        let curved =
            move |k: &usize| sides[*k].is_some_and(|side| side.sliver.sagittas > 0.0) && radius > core;
        (0..3).filter(curved).map(move |k| ([corners[k], corners[(k + 1) % 3]], radius))
    }

    /// **Never less** than how far the piece may reach beyond its triangle along a direction in its own frame, a unit one up to rounding.
    ///
    /// A plane's normal, or a cylinder's axis, is square to how its points deviate; an arc leaves its chord in its own plane. The sliver of a
    /// plane lies in the plane.
    pub(crate) fn reach_along(&self, direction: DVec3, on: Carrier) -> f64 {
        let aside =
            |axis: DVec3| if axis == DVec3::ZERO { 1.0 } else { axis.cross(direction).length().min(1.0) };
        let bend = aside(self.straight);
        let in_plane = if self.core <= self.floor { bend } else { 1.0 };
        let slivers = self.sides.iter().flatten().map(|side| {
            let (normal, off) = on.made.edge_planes[side.edge as usize];
            let Sliver { sagittas, off: least } = side.sliver;
            if sagittas == 0.0 {
                return least;
            }
            sagittas * (side.sagitta(on.brep.edges()) * aside(normal).min(in_plane) + off) + least
        });
        self.floor + bend * (self.core - self.floor) + slivers.fold(0.0, f64::max)
    }

    /// Sets the radius.
    fn measured(mut self, on: Carrier) -> Patch {
        let made = on.made;
        let slivers = self.sides.iter().flatten().map(|side| side.reach(on.brep.edges()));
        let straight = self.sides.iter().flatten().map(|side| side.sliver.off).fold(0.0, f64::max);
        let gap = self.gaps.into_iter().fold(0.0, f64::max);
        self.floor = gap + straight + made.residuals[self.face as usize];
        let chord = slivers.fold(0.0, f64::max) - straight;
        let bend = made.domains[self.face as usize].sagitta(&self.at, &self.corners);
        (self.core, self.radius) = (bend + self.floor, bend + chord + self.floor);
        let beyond = if chord > 0.0 { bend + chord + self.floor } else { 0.0 };
        self.spine = Spine::of(&made.domains[self.face as usize], self.over(), beyond, self.floor);
        self
    }

    /// The point of the surface at the same share of the parameters as a point of the triangle.
    pub(crate) fn on_surface(&self, on: Carrier, flat: DVec3) -> DVec3 {
        let domain = &on.made.domains[self.face as usize];
        if let Domain::Sphere { frame, radius } = domain {
            return frame.origin + (flat - frame.origin).normalize_or_zero() * *radius;
        }
        domain.point(self.at_share(flat))
    }

    /// The parameters of that point.
    pub(crate) fn at_surface(&self, on: Carrier, flat: DVec3) -> Option<[f64; 2]> {
        match &on.made.domains[self.face as usize] {
            domain @ Domain::Sphere { .. } => domain.invert(flat, None),
            Domain::Surface { .. } => Some(self.at_share(flat)),
        }
    }

    fn at_share(&self, flat: DVec3) -> [f64; 2] {
        let [x, y, z] = weights(self.corners, flat);
        [0, 1].map(|k: usize| x * self.at[0][k] + y * self.at[1][k] + z * self.at[2][k])
    }

    /// Whether parameters, and the point there, are in its triangle.
    pub(crate) fn covers(&self, on: Carrier, at: [f64; 2], point: DVec3) -> bool {
        on.made.domains[self.face as usize].covers(&self.at, &self.corners, at, point)
    }

    /// Two halves, cut through the side along which a torus goes farthest around: what that takes is from its spine.
    pub(crate) fn spine_halves(&self, on: Carrier) -> [Patch; 2] {
        let around = |k: usize| (self.at[k][0] - self.at[(k + 1) % 3][0]).abs();
        let k = (0..3).max_by(|&a, &b| around(a).total_cmp(&around(b))).unwrap_or(0);
        self.cut(k, on)
    }

    /// Two halves, cut through the side over which the face bends most.
    pub(crate) fn halves(&self, on: Carrier) -> [Patch; 2] {
        let domain = &on.made.domains[self.face as usize];
        let edges = on.brep.edges();
        let bend = |k: usize| {
            let next = (k + 1) % 3;
            let ends = [self.corners[k], self.corners[next]];
            let chord = self.sides[k].map_or(0.0, |side| side.reach(edges));
            domain.chord_sagitta(self.at[k], self.at[next], ends) + chord
        };
        self.cut((0..3).max_by(|&a, &b| bend(a).total_cmp(&bend(b))).unwrap_or(0), on)
    }

    /// Two halves, cut through a side.
    fn cut(&self, k: usize, on: Carrier) -> [Patch; 2] {
        let domain = &on.made.domains[self.face as usize];
        let edges = on.brep.edges();
        let (next, last) = ((k + 1) % 3, (k + 2) % 3);
        let (middle, at, gap) = self.middle(k, domain, edges);
        let [first, second] = Stretch::halves(self.sides[k]);
        let one = Patch {
            corners: [self.corners[k], middle, self.corners[last]],
            at: [self.at[k], at, self.at[last]],
            sides: [first, None, self.sides[last]],
            gaps: [self.gaps[k], gap, self.gaps[last]],
            ..*self
        };
        let other = Patch {
            corners: [middle, self.corners[next], self.corners[last]],
            at: [at, self.at[next], self.at[last]],
            sides: [second, self.sides[next], None],
            gaps: [gap, self.gaps[next], self.gaps[last]],
            ..*self
        };
        [one.measured(on), other.measured(on)]
    }

    /// The middle of a side: of its edge, or of its parameters.
    fn middle(&self, k: usize, domain: &Domain, edges: &[Edge]) -> (DVec3, [f64; 2], f64) {
        let next = (k + 1) % 3;
        let half: [f64; 2] = std::array::from_fn(|i| 0.5 * (self.at[k][i] + self.at[next][i]));
        if let Some(side) = self.sides[k] {
            let point = edges[side.edge as usize].curve.point(0.5 * (side.from + side.to));
            let at = domain.invert(point, Some(half)).unwrap_or(half);
            return (point, at, domain.gap(at, point));
        }
        if let Domain::Sphere { frame, radius } = domain {
            let flat = 0.5 * (self.corners[k] + self.corners[next]) - frame.origin;
            return (frame.origin + flat.normalize_or_zero() * *radius, half, 0.0);
        }
        (domain.point(half), half, 0.0)
    }
}

/// Barycentric weights of a point of a triangle; those of its middle where it has no area.
fn weights([a, b, c]: [DVec3; 3], x: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let size = normal.length_squared();
    if size <= 0.0 {
        return [1.0 / 3.0; 3];
    }
    let second = (x - a).cross(c - a).dot(normal) / size;
    let third = (b - a).cross(x - a).dot(normal) / size;
    let [second, third] = [second, third].map(|w| w.clamp(0.0, 1.0));
    let excess = (second + third).max(1.0);
    let [second, third] = [second / excess, third / excess];
    [1.0 - second - third, second, third]
}
