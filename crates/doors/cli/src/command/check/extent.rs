//! What boxes alone prove about a pair of bodies at rest, and which pairs need a closer look.

use kontakt::answers::Range;
use kontakt::bounds::{Aabb, Bound};
use kontakt::math::DVec3;
use kontakt::math::round::{add_down, add_up, length_up};
use kontakt::mesh::Mesh;

/// The box of a body and a point of the body on each of its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    aabb: Aabb,
    extremes: [DVec3; 6],
}

impl Extent {
    /// The extent of the faces; vertices that no face uses do not count.
    pub(crate) fn of(mesh: &Mesh) -> Extent {
        let faces = mesh.faces();
        let point = |&index: &u32| faces.vertices()[index as usize];
        let first = faces.triangles().as_flattened().first().map_or(DVec3::ZERO, point);
        let mut extent = Extent { aabb: Aabb { min: first, max: first }, extremes: [first; 6] };
        for p in faces.triangles().as_flattened().iter().map(point) {
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
        extent
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
        let (lo, hi) = (self.gap_below(other), all.fold(f64::INFINITY, f64::min));
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
/// Sweep along x: of two boxes the one that begins later begins after the other's end plus `reach`, or they are a candidate.
pub(crate) fn near_pairs(extents: &[Extent], reach: f64) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    order.sort_by(|&i, &j| extents[i].aabb.min.x.total_cmp(&extents[j].aabb.min.x).then(i.cmp(&j)));
    let mut pairs = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let end = extents[i].aabb.max.x;
        for &j in &order[place + 1..] {
            if add_down(extents[j].aabb.min.x, -end) > reach {
                break;
            }
            if extents[i].gap_below(&extents[j]) <= reach {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::shapes::make;

    fn ball_at(x: f64, y: f64) -> Mesh {
        let ball = make::bumpy_ball(2, 0.0).unwrap();
        let vertices = ball.vertices().iter().map(|&v| v + DVec3::new(x, y, 0.0)).collect();
        let faces = kontakt::shapes::FaceSet::from_triangles(vertices, ball.triangles().to_vec()).unwrap();
        Mesh::with_threads(faces, 1).unwrap()
    }

    #[test]
    fn the_sweep_finds_what_all_pairs_find() {
        let mut random = 1_u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(random >> 16) / 65536.0 * 20.0
        };
        let extents: Vec<Extent> = (0..40).map(|_| Extent::of(&ball_at(next(), next()))).collect();
        for reach in [0.0, 0.5, 3.0] {
            let all = (0..40).flat_map(|i| (i + 1..40).map(move |j| (i, j)));
            let near: Vec<_> = all.filter(|&(i, j)| extents[i].gap_below(&extents[j]) <= reach).collect();
            assert!((10..700).contains(&near.len()), "generator drifted: {}", near.len());
            assert_eq!(near_pairs(&extents, reach), near);
        }
    }

    #[test]
    fn bounds_hold_the_distance() {
        let [a, b] = [(0.0, 0.0), (5.0, 0.0)].map(|(x, y)| Extent::of(&ball_at(x, y)));
        let range = a.distance(&b);
        assert!(range.lo() <= 3.1 && range.hi() >= 3.0 && range.hi() < 7.0, "{range:?}");
        let inside = a.signed_distance(&a);
        assert!(inside.lo() <= -1.8 && inside.hi() >= 0.0, "{inside:?}");
    }
}
