//! Convex hull as a bounding volume. Canonical form: its extreme points and how they are joined.

use crate::bound::{Bound, FitError, Measure, Parameter, Support};
use crate::hull::{Hull, convex_hull};
use crate::probe::{Point, farthest_of, reach_of};
use crate::search::middle_and_size;
use crate::separation;
use crate::turn::Turn;
use kontakt_math::predicates::orient3d;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Pose, Sign};

/// The convex hull of the points stored, which are exactly its vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct HullVolume {
    points: Vec<DVec3>,
    hull: Hull,
}

impl HullVolume {
    /// The vertices; face and edge numbers of [`topology`](Self::topology) count them.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Faces, edges and neighbours.
    pub fn topology(&self) -> &Hull {
        &self.hull
    }

    /// All of space: what an image too large for doubles becomes. Along every direction the reach of a point at infinity
    /// is infinite.
    fn everything() -> HullVolume {
        HullVolume { points: vec![DVec3::INFINITY], hull: Hull::point() }
    }

    fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|i| self.points[i as usize])
    }

    /// Distance of `place` from the nearest face plane (not certified); 0 for a hull without inside.
    fn inner_radius(&self, place: DVec3) -> f64 {
        if self.hull.dimension() < 3 {
            return 0.0;
        }
        let depths = self.hull.triangles().map(|t| {
            let [a, b, c] = self.corners(t);
            let normal = crate::search::unit((b - a).cross(c - a)).unwrap_or(DVec3::ZERO);
            normal.dot(a - place)
        });
        depths.fold(f64::INFINITY, f64::min).max(0.0)
    }
}

impl Support for HullVolume {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        farthest_of(&self.points, direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        reach_of(&self.points, direction)
    }

    fn centre(&self) -> DVec3 {
        let count = self.points.len().max(1) as f64;
        self.points.iter().map(|p| *p / count).sum()
    }
}

impl Bound for HullVolume {
    const NAME: &'static str = "hull";
    const IS_LEAST: bool = true;

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        let hull = convex_hull(points)?;
        let vertices: Vec<DVec3> = hull.vertices().iter().map(|i| points[*i as usize]).collect();
        // Once more over the vertices alone, so that the indices stored are positions in the points stored.
        let hull = convex_hull(&vertices)?;
        Ok(HullVolume { points: vertices, hull })
    }

    fn merge(&self, other: &Self) -> Self {
        let both: Vec<DVec3> = self.points.iter().chain(&other.points).copied().collect();
        // Fails only when one of them is infinite.
        HullVolume::fit(&both).unwrap_or_else(|_| HullVolume::everything())
    }

    /// The vertices' images are rounded, each by at most e. Scaling about an inner point by 1 + s moves every face out by
    /// at least sρ, ρ the point's distance from the nearest face; with sρ ≥ 4e and s ≤ 1 the scaled hull holds the exact
    /// image (its own roundings included, they are smaller than e). A hull too thin or too small for that gets a small box
    /// around each vertex instead.
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let images: Vec<(DVec3, DVec3)> = self.points.iter().map(|p| turn.image(*p)).collect();
        let error = images
            .iter()
            .map(|(image, e)| length_up(*e) + 2.0 * f64::EPSILON * length_up(*image))
            .fold(0.0, f64::max);
        let exact = images.iter().all(|(_, e)| *e == DVec3::ZERO);
        let (_, size) = middle_and_size(&self.points);
        let centre = self.centre();
        let radius = self.inner_radius(centre);
        let moved: Vec<DVec3> = if exact {
            images.iter().map(|(image, _)| *image).collect()
        } else if radius > 1e-3 * size && 4.0 * error <= radius {
            let middle = turn.image(centre).0;
            images.iter().map(|(image, _)| *image + (*image - middle) * (4.0 * error / radius)).collect()
        } else {
            let corners = |i: u32| DVec3::new(sign(i, 1), sign(i, 2), sign(i, 4));
            images
                .iter()
                .flat_map(|(image, e)| (0..8).map(move |i| *image + corners(i) * (*e * 2.0)))
                .collect()
        };
        HullVolume::fit(&moved).unwrap_or_else(|_| HullVolume::everything())
    }

    fn measure(&self) -> Measure {
        // In units of its size about its middle: nothing overflows but the result.
        let (middle, size) = middle_and_size(&self.points);
        if self.points.iter().any(|p| !p.is_finite()) {
            return Measure::INFINITE;
        }
        if size == 0.0 {
            return Measure::default();
        }
        let size = size.min(f64::MAX);
        let local: Vec<DVec3> = self.points.iter().map(|p| (*p - middle) / size).collect();
        let (mut volume, mut surface) = (0.0, 0.0);
        for t in self.hull.triangles() {
            let [a, b, c] = t.map(|i| local[i as usize]);
            volume += a.dot(b.cross(c)) / 6.0;
            surface += 0.5 * (b - a).cross(c - a).length();
        }
        let pairs = local
            .iter()
            .enumerate()
            .flat_map(|(i, p)| local[..i].iter().map(move |q| p.distance_squared(*q)));
        let diameter = pairs.fold(0.0, f64::max).sqrt();
        Measure {
            // Rounding may turn a hull of hardly any volume inside out.
            volume: volume.max(0.0) * size * size * size,
            surface: surface * size * size,
            diameter: diameter * size,
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        let faces = self.hull.faces().map(<[u32]>::to_vec).collect();
        vec![("points", Parameter::Vectors(self.points.clone())), ("faces", Parameter::Faces(faces))]
    }

    /// Exact for a solid hull.
    fn contains(&self, point: DVec3) -> bool {
        if self.hull.dimension() < 3 || !point.is_finite() {
            return point.is_finite() && separation::may_overlap(self, &Point(point));
        }
        self.hull.triangles().all(|t| {
            let [a, b, c] = self.corners(t);
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

fn sign(bits: u32, bit: u32) -> f64 {
    if bits & bit == 0 { -1.0 } else { 1.0 }
}
