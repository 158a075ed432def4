//! What boxes alone prove about a pair of bodies at rest, and which pairs need a closer look.

use kontakt_answers::Range;
use kontakt_bounds::{Aabb, Bound};
use kontakt_broad::{Boxes, Frame, Method, Pairs};
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{Between, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, Placed};

/// The box of a body and a point of the body on each of its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    aabb: Aabb,
    extremes: [DVec3; 6],
    /// **Never less** than the distance of each of these points from the body.
    off: f64,
}

impl Extent {
    /// The extent of a body where it is.
    pub(crate) fn of(body: &Placed) -> Extent {
        match body.body {
            Body::Mesh(mesh) => Extent::of_mesh(mesh, &body.pose),
            Body::Convex(own) => Extent::of_leaves(kontakt_convex::PlacedShape::new(own.shape(), body.pose)),
            Body::Curved(own) => Extent::of_mesh(own.mesh(), &body.pose).grown(own.deviation()),
        }
    }

    /// The same of what lies no farther than this from the body, and the body no farther from it.
    fn grown(self, by: f64) -> Extent {
        let up = |x: DVec3| DVec3::new(add_up(x.x, by), add_up(x.y, by), add_up(x.z, by));
        let aabb = Aabb { min: -up(-self.aabb.min), max: up(self.aabb.max) };
        Extent { aabb, off: add_up(self.off, by), ..self }
    }

    /// The extent of the faces; vertices that no face uses do not count.
    fn of_mesh(mesh: &Mesh, pose: &Pose) -> Extent {
        let faces = mesh.faces();
        let rests = pose.given_rotation().xyz() == DVec3::ZERO && pose.translation() == DVec3::ZERO;
        let point = |&index: &u32| {
            let own = faces.vertices()[index as usize];
            if rests { (own, 0.0) } else { (pose.apply(own), pose.apply_error(own)) }
        };
        let corners = faces.triangles().as_flattened();
        let first = corners.first().map_or((DVec3::ZERO, 0.0), point).0;
        let mut extent = Extent { aabb: Aabb { min: first, max: first }, extremes: [first; 6], off: 0.0 };
        for (p, error) in corners.iter().map(point) {
            extent.off = extent.off.max(error);
            for axis in 0..3 {
                if p[axis] < extent.extremes[axis][axis] {
                    extent.extremes[axis] = p;
                }
                if p[axis] > extent.extremes[axis + 3][axis] {
                    extent.extremes[axis + 3] = p;
                }
            }
        }
        let [x, y, z, far_x, far_y, far_z] = extent.extremes;
        extent.aabb = Aabb { min: DVec3::new(x.x, y.y, z.z), max: DVec3::new(far_x.x, far_y.y, far_z.z) };
        if extent.off > 0.0 {
            let room =
                |x: f64, out: f64| if out > 0.0 { add_up(x, extent.off) } else { -add_up(-x, extent.off) };
            let Aabb { min, max } = extent.aabb;
            extent.aabb = Aabb {
                min: DVec3::new(room(min.x, -1.0), room(min.y, -1.0), room(min.z, -1.0)),
                max: DVec3::new(room(max.x, 1.0), room(max.y, 1.0), room(max.z, 1.0)),
            };
        }
        extent
    }

    /// The extent of a convex body: as far as its leaves reach along the axes, and a point inside the first.
    fn of_leaves(shape: kontakt_convex::PlacedShape) -> Extent {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut inside: Option<(DVec3, f64)> = None;
        for leaf in shape.leaves() {
            let between = Between::of_chains(&kontakt_math::Chain::new(Pose::IDENTITY), leaf.chain());
            for (k, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                max[k] = max[k].max(leaf.reach(&between, axis));
                min[k] = min[k].min(-leaf.reach(&between, -axis));
            }
            let (own, _) = leaf.shape().inner_ball();
            let rounded = 1e-12 * own.abs().element_sum();
            inside.get_or_insert((between.b_in_a(own), add_up(between.error_at(own), rounded)));
        }
        let (point, off) = inside.unwrap_or((DVec3::ZERO, f64::INFINITY));
        let bounded = min.is_finite() && max.is_finite();
        Extent {
            aabb: Aabb { min, max },
            extremes: [point; 6],
            off: if bounded { off } else { f64::INFINITY },
        }
    }

    /// The largest coordinate of the box, without its sign.
    pub(crate) fn farthest(&self) -> f64 {
        self.aabb.min.abs().max(self.aabb.max.abs()).max_element()
    }

    /// The shortest side of the box.
    pub(crate) fn least_side(&self) -> f64 {
        (self.aabb.max - self.aabb.min).min_element()
    }

    /// The longest side of the box.
    pub(crate) fn size(&self) -> f64 {
        (self.aabb.max - self.aabb.min).max_element()
    }

    /// The box that holds the body.
    pub(crate) fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// **Never more** than the distance of the bodies.
    pub(crate) fn gap_below(&self, other: &Extent) -> f64 {
        self.aabb.gap_below(&other.aabb)
    }

    /// Certified bounds of the distance. Lower end: the boxes hold the bodies. Upper end: the least distance of two points of
    /// the bodies, each difference and the length rounded up.
    pub(crate) fn distance(&self, other: &Extent) -> Range {
        let apart = |p: DVec3, q: DVec3| {
            let side = |i: usize| add_up(p[i].max(q[i]), -p[i].min(q[i]));
            length_up(DVec3::new(side(0), side(1), side(2)))
        };
        let all = self.extremes.iter().flat_map(|&p| other.extremes.iter().map(move |&q| apart(p, q)));
        let hi = add_up(all.fold(f64::INFINITY, f64::min), add_up(self.off, other.off));
        let lo = self.gap_below(other);
        Range::new(lo, hi.max(lo)).unwrap_or(Range::ZERO)
    }

    /// Certified bounds of the signed distance, negative for overlap: no overlap is deeper than the least translation along an
    /// axis that separates the boxes.
    pub(crate) fn signed_distance(&self, other: &Extent) -> Range {
        let distance = self.distance(other);
        if distance.lo() > 0.0 {
            return distance;
        }
        let (a, b) = (&self.aabb, &other.aabb);
        let out = |i: usize| add_up(a.max[i], -b.min[i]).min(add_up(b.max[i], -a.min[i])).max(0.0);
        let deepest = (0..3).map(out).fold(f64::INFINITY, f64::min);
        Range::new(-deepest, distance.hi()).unwrap_or(distance)
    }
}

/// Every pair (a, b), a < b, whose boxes do not prove a distance of more than `reach`; sorted.
///
/// Candidates are pairs of boxes that overlap when each is grown by the reach: by more than half of what is needed.
pub(crate) fn near_pairs(extents: &[Extent], reach: f64) -> Vec<(usize, usize)> {
    let near = |(i, j): &(usize, usize)| extents[*i].gap_below(&extents[*j]) <= reach;
    let grown = |extent: &Extent| {
        let by = DVec3::splat(add_up(reach, reach * 1e-12));
        Aabb { min: extent.aabb.min - by, max: extent.aabb.max + by }
    };
    let boxes: Vec<Aabb> = extents.iter().map(grown).collect();
    let bounded = boxes.iter().all(|b| b.min.is_finite() && b.max.is_finite());
    let candidates =
        bounded.then(|| Boxes::new(Frame::around(boxes.iter().copied()), boxes.iter().copied()).ok());
    let mut pairs: Vec<(usize, usize)> = if let Some(boxes) = candidates.flatten() {
        let found = Pairs::within(&boxes, Method::default()).collect();
        let ordered = |[i, j]: [u32; 2]| (i.min(j) as usize, i.max(j) as usize);
        found.into_iter().map(ordered).filter(near).collect()
    } else {
        let all = (0..extents.len()).flat_map(|i| (i + 1..extents.len()).map(move |j| (i, j)));
        all.filter(near).collect()
    };
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_shapes::make;

    fn ball_at(x: f64, y: f64) -> Extent {
        let ball = make::bumpy_ball(2, 0.0).unwrap();
        let vertices = ball.vertices().iter().map(|&v| v + DVec3::new(x, y, 0.0)).collect();
        let faces = kontakt_shapes::FaceSet::from_triangles(vertices, ball.triangles().to_vec()).unwrap();
        Extent::of_mesh(&Mesh::with_threads(faces, 1).unwrap(), &Pose::IDENTITY)
    }

    #[test]
    fn the_sweep_finds_what_all_pairs_find() {
        let mut random = 1_u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(random >> 16) / 65536.0 * 20.0
        };
        let extents: Vec<Extent> = (0..40).map(|_| ball_at(next(), next())).collect();
        for reach in [0.0, 0.5, 3.0] {
            let all = (0..40).flat_map(|i| (i + 1..40).map(move |j| (i, j)));
            let near: Vec<_> = all.filter(|&(i, j)| extents[i].gap_below(&extents[j]) <= reach).collect();
            assert!((10..700).contains(&near.len()), "generator drifted: {}", near.len());
            assert_eq!(near_pairs(&extents, reach), near);
        }
    }

    #[test]
    fn bounds_hold_the_distance() {
        let [a, b] = [(0.0, 0.0), (5.0, 0.0)].map(|(x, y)| ball_at(x, y));
        let range = a.distance(&b);
        assert!(range.lo() <= 3.1 && range.hi() >= 3.0 && range.hi() < 7.0, "{range:?}");
        let inside = a.signed_distance(&a);
        assert!(inside.lo() <= -1.8 && inside.hi() >= 0.0, "{inside:?}");
    }
}
