//! Convex hull as a bounding volume. Canonical form: its vertices and faces, and a rim for rounding.

use crate::bound::{Bound, FitError, Measure, Support};
use crate::hull::{Hull, convex_hull};
use crate::probe::Point;
use crate::separation;
use crate::turn::Turn;
use kontakt_math::predicates::{Sign, orient3d};
use kontakt_math::round::{add_up, dot_up, length_up, mul_up};
use kontakt_math::{DVec3, Pose};

/// The set of points within `rim` of the convex hull of `vertices`.
///
/// The rim is zero after a fit. A pose moves vertices to rounded places; the rim takes up what that rounding moved,
/// so that the exact image is still inside.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    vertices: Vec<DVec3>,
    shape: Hull,
    rim: f64,
}

impl ConvexHull {
    /// The corners.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces, edges and neighbours; vertex numbers are positions in [`ConvexHull::vertices`].
    pub fn shape(&self) -> &Hull {
        &self.shape
    }

    /// How far the set reaches beyond the hull of the vertices: a few roundings after a pose, else zero.
    pub fn rim(&self) -> f64 {
        self.rim
    }

    /// The hull of points with a rim.
    fn around(points: &[DVec3], rim: f64) -> Result<ConvexHull, FitError> {
        let hull = convex_hull(points)?;
        let vertices: Vec<DVec3> = hull.vertices().iter().map(|&i| points[i as usize]).collect();
        let shape = hull.renumbered();
        Ok(ConvexHull { vertices, shape, rim })
    }

    /// Volume and surface of the hull of the vertices, by tetrahedra over a point inside.
    fn volume_and_surface(&self) -> (f64, f64) {
        let inside = self.centre();
        let (mut volume, mut surface) = (0.0, 0.0);
        for triangle in self.shape.triangles() {
            let [a, b, c] = triangle.map(|v| self.vertices[v as usize] - inside);
            let normal = (b - a).cross(c - a);
            volume += a.dot(normal) / 6.0;
            surface += normal.length() / 2.0;
        }
        (if self.shape.dimension() == 3 { volume } else { 0.0 }, surface)
    }

    /// The largest distance of two vertices: pairs in the order of their distance from the middle, until no
    /// remaining pair can be longer.
    fn longest(&self) -> f64 {
        let middle = self.centre();
        let mut order: Vec<(f64, DVec3)> = self.vertices.iter().map(|&v| (v.distance(middle), v)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut longest = 0.0_f64;
        for (i, &(far, a)) in order.iter().enumerate() {
            for &(near, b) in &order[i + 1..] {
                if far + near <= longest {
                    break;
                }
                longest = longest.max(a.distance(b));
            }
        }
        longest
    }
}

impl Support for ConvexHull {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, self.vertices[0]);
        for &v in &self.vertices {
            let value = direction.dot(v);
            if value > best.0 {
                best = (value, v);
            }
        }
        best.1
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let reach = self.vertices.iter().map(|&v| dot_up(direction, v)).fold(f64::NEG_INFINITY, f64::max);
        if self.rim > 0.0 { add_up(reach, mul_up(self.rim, length_up(direction))) } else { reach }
    }

    fn centre(&self) -> DVec3 {
        let share = 1.0 / self.vertices.len() as f64;
        self.vertices.iter().map(|&v| v * share).sum()
    }
}

impl Bound for ConvexHull {
    const NAME: &'static str = "hull";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        ConvexHull::around(points, 0.0)
    }

    fn merge(&self, other: &Self) -> Self {
        let all = [&self.vertices[..], &other.vertices[..]].concat();
        // Vertices are finite and not none, so the hull exists.
        ConvexHull::around(&all, self.rim.max(other.rim)).unwrap_or_else(|_| self.clone())
    }

    /// Proof: each vertex's exact image is within its error's length of its computed image, so the exact image of
    /// the hull is within the largest of them of the hull of the computed images; the rim turns into itself.
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let mut moved = 0.0_f64;
        let mut images = Vec::with_capacity(self.vertices.len());
        for &v in &self.vertices {
            let (image, error) = turn.image(v);
            images.push(image.clamp(DVec3::splat(f64::MIN), DVec3::splat(f64::MAX)));
            moved = moved.max(if image.is_finite() { length_up(error) } else { f64::INFINITY });
        }
        ConvexHull::around(&images, if moved > 0.0 { add_up(self.rim, moved) } else { self.rim })
            .unwrap_or_else(|_| self.clone())
    }

    /// Of the hull of the vertices; the rim counts only in the diameter.
    fn measure(&self) -> Measure {
        let (volume, surface) = self.volume_and_surface();
        Measure { volume, surface, diameter: self.longest() + 2.0 * self.rim }
    }

    fn contains(&self, point: DVec3) -> bool {
        if self.shape.dimension() < 3 || self.rim > 0.0 {
            return separation::may_overlap(self, &Point(point));
        }
        self.shape.faces().all(|face| {
            let [a, b, c] = [face[0], face[1], face[2]].map(|v| self.vertices[v as usize]);
            orient3d(a, b, c, point) != Sign::Negative
        })
    }

    fn may_overlap(&self, other: &Self) -> bool {
        separation::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        separation::gap_below(self, other)
    }
}
