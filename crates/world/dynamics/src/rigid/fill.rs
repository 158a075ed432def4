//! Solid fraction of a pile: the share of space that bodies fill.

use super::body::Body;
use super::form::Form;
use super::world::World;
use kontakt_convex::{ConvexQuery, Core, PlacedShape, Shape, Verdict};
use kontakt_math::{DVec3, Pose};
use kontakt_mesh::Location;
use kontakt_pair::{Body as Geometry, Placed};

/// Shares of a container that bodies fill, counted on a lattice of points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fill {
    /// Between one size above the floor and one size below the height under which nine of ten centres lie: walls count, floor and surface
    /// do not.
    pub slab: f64,
    /// The same from the floor on.
    pub from_floor: f64,
    /// The volume of all bodies, in that of the container up to the highest point of any.
    pub up_to_top: f64,
    /// That height.
    pub top: f64,
}

/// Points of the lattice to a size.
const FINE: f64 = 14.0;

impl World {
    /// The solid fraction in a container with a square base of this width about the z axis and its floor at height 0.
    pub fn fill(&self, base: f64) -> Fill {
        let free = || self.bodies().iter().filter(|body| body.is_free());
        let size = self.least_size();
        let boxes = free().map(|body| self.form(body).aabb(body.place, body.turn));
        let top = boxes.map(|b| b.max.z).fold(0.0, f64::max);
        let mut heights: Vec<f64> = free().map(|body| body.place.z).collect();
        if heights.is_empty() || top <= 0.0 {
            return Fill::default();
        }
        heights.sort_unstable_by(f64::total_cmp);
        let most = heights[(heights.len() * 9 / 10).min(heights.len() - 1)] - size;
        let volume: f64 = free().map(|body| self.form(body).mass().map_or(0.0, |mass| mass.volume)).sum();
        let up_to_top = volume / (base * base * top);
        if most <= size {
            return Fill { up_to_top, top, ..Fill::default() };
        }
        let mut lattice = Lattice::new(base, most, size / FINE);
        let mut asker = Asker::default();
        for body in free() {
            lattice.mark(body, self.form(body), &mut asker);
        }
        Fill { slab: lattice.share(size), from_floor: lattice.share(0.0), up_to_top, top }
    }

    fn form(&self, body: &Body) -> &Form {
        &self.forms()[body.form as usize]
    }
}

/// Points in the middle of little cubes that fill a box from the floor to a height.
struct Lattice {
    counts: [usize; 3],
    step: DVec3,
    corner: DVec3,
    marked: Vec<u64>,
}

impl Lattice {
    fn new(base: f64, height: f64, about: f64) -> Lattice {
        let count = |length: f64| (length / about).round().clamp(1.0, 2000.0) as usize;
        let counts = [count(base), count(base), count(height)];
        let step = DVec3::new(base / counts[0] as f64, base / counts[1] as f64, height / counts[2] as f64);
        let corner = DVec3::new(-0.5 * base, -0.5 * base, 0.0);
        let points: usize = counts.iter().product();
        Lattice { counts, step, corner, marked: vec![0; points.div_ceil(64)] }
    }

    fn mark(&mut self, body: &Body, form: &Form, asker: &mut Asker) {
        let b = form.aabb(body.place, body.turn);
        let Some(pose) = form.pose(body.place, body.turn) else { return };
        let range = |k: usize| {
            let from = ((b.min[k] - self.corner[k]) / self.step[k] - 0.5).ceil().max(0.0) as usize;
            let to = ((b.max[k] - self.corner[k]) / self.step[k] + 0.5).floor().max(0.0) as usize;
            from..to.min(self.counts[k])
        };
        for z in range(2) {
            for y in range(1) {
                for x in range(0) {
                    let at = DVec3::new(x as f64, y as f64, z as f64);
                    let point = self.corner + (at + 0.5) * self.step;
                    if asker.is_inside(form, &pose, point) {
                        let k = (z * self.counts[1] + y) * self.counts[0] + x;
                        self.marked[k / 64] |= 1 << (k % 64);
                    }
                }
            }
        }
    }

    /// Share of marked points from a height on.
    fn share(&self, from: f64) -> f64 {
        let layer = self.counts[0] * self.counts[1];
        let first = ((from / self.step.z).round() as usize).min(self.counts[2]);
        let points = first * layer..self.counts[2] * layer;
        let all = points.len().max(1);
        let inside = points.filter(|k| self.marked[k / 64] >> (k % 64) & 1 == 1).count();
        inside as f64 / all as f64
    }
}

#[derive(Default)]
struct Asker {
    convex: ConvexQuery,
}

impl Asker {
    fn is_inside(&mut self, form: &Form, pose: &Pose, point: DVec3) -> bool {
        let local = || pose.rotation().conjugate() * (point - pose.translation());
        match form.geometry() {
            Geometry::Convex(body) => {
                let (shape, round) = (body.shape(), body.shape().radii());
                match shape.core() {
                    Core::Point => local().length() <= round[0] + round[1],
                    Core::Box(half) if round == [0.0; 2] => local().abs().cmple(*half).all(),
                    Core::Ellipsoid(radii) if round == [0.0; 2] => (local() / *radii).length_squared() <= 1.0,
                    _ => {
                        let (dot, there) = (Shape::point(), Pose::new(kontakt_math::DQuat::IDENTITY, point));
                        there.is_ok_and(|there| {
                            let (a, b) = (PlacedShape::new(shape, *pose), PlacedShape::new(&dot, there));
                            self.convex.intersect(a, b) != Verdict::Separate
                        })
                    }
                }
            }
            geometry => {
                let inside = Placed::new(geometry, *pose).inside(point);
                inside.is_some_and(|inside| inside.verdict == Location::Inside)
            }
        }
    }
}
