//! Volume, centre of mass and inertia of bodies at density 1. For motions, not for proofs.

use kontakt_convex::{Core, PlacedShape, Shape};
use kontakt_math::{DMat3, DVec3, Pose};
use std::f64::consts::PI;

/// What a body at density 1 weighs, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// The volume. Where leaves of a union overlap it counts twice.
    pub volume: f64,
    /// Centre of mass in the body's frame.
    pub centre: DVec3,
    /// Inertia about the centre, in axes of the body's frame.
    pub inertia: DMat3,
}

impl Mass {
    const NOTHING: Mass = Mass { volume: 0.0, centre: DVec3::ZERO, inertia: DMat3::ZERO };

    fn about_origin(volume: f64, diagonal: DVec3) -> Mass {
        Mass { volume, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(diagonal) }
    }

    /// Of a convex shape or a union. Closed forms where there are any; of rounded shapes and a user's own, the hull of points in some
    /// thousand directions, which is some 1e-3 too small.
    pub fn of_shape(shape: &Shape) -> Mass {
        if let Core::Union(_) = shape.core() {
            let leaves = PlacedShape::new(shape, Pose::IDENTITY).leaves();
            return leaves.iter().fold(Mass::NOTHING, |sum, leaf| {
                sum.and(&Mass::of_shape(leaf.shape()).seen_from(leaf.chain().composed()))
            });
        }
        let round: f64 = shape.radii().into_iter().sum();
        match *shape.core() {
            Core::Point => Mass::of_ellipsoid(DVec3::splat(round)),
            Core::Segment(ends) => Mass::of_capsule(ends, round),
            Core::Box(half) if round == 0.0 => {
                let volume = 8.0 * half.x * half.y * half.z;
                let s = half * half;
                let sums = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y);
                Mass::about_origin(volume, sums * (volume / 3.0))
            }
            Core::Ellipsoid(radii) if round == 0.0 => Mass::of_ellipsoid(radii),
            Core::Cylinder { half_length, radius } if round == 0.0 => {
                let volume = PI * radius * radius * 2.0 * half_length;
                let across = volume * (3.0 * radius * radius + 4.0 * half_length * half_length) / 12.0;
                Mass::about_origin(volume, DVec3::new(across, across, volume * radius * radius / 2.0))
            }
            Core::Cone { half_length, radius } if round == 0.0 => {
                let height = 2.0 * half_length;
                let volume = PI * radius * radius * height / 3.0;
                let across = volume * (0.15 * radius * radius + 0.0375 * height * height);
                let mass =
                    Mass::about_origin(volume, DVec3::new(across, across, 0.3 * volume * radius * radius));
                Mass { centre: DVec3::new(0.0, 0.0, -0.5 * half_length), ..mass }
            }
            Core::HalfSpace { .. } => Mass { volume: f64::INFINITY, ..Mass::NOTHING },
            _ => Mass::of_surface(shape).unwrap_or_else(|| Mass::of_directions(shape, round)),
        }
    }

    fn of_ellipsoid(radii: DVec3) -> Mass {
        let volume = 4.0 / 3.0 * PI * radii.x * radii.y * radii.z;
        let s = radii * radii;
        Mass::about_origin(volume, DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (volume / 5.0))
    }

    fn of_capsule(ends: [DVec3; 2], radius: f64) -> Mass {
        let (square, length) = (radius * radius, ends[0].distance(ends[1]));
        let (tube, ball) = (PI * square * length, 4.0 / 3.0 * PI * square * radius);
        let along = tube * square / 2.0 + 0.4 * ball * square;
        let across = tube * (length * length / 12.0 + square / 4.0)
            + ball * (0.4 * square + length * length / 4.0 + 0.375 * length * radius);
        let axis = (ends[1] - ends[0]).normalize_or(DVec3::Z);
        let inertia = DMat3::from_diagonal(DVec3::splat(across)) + outer(axis) * (along - across);
        Mass { volume: tube + ball, centre: (ends[0] + ends[1]) * 0.5, inertia }
    }

    fn of_surface(shape: &Shape) -> Option<Mass> {
        let surface = shape.surface()?;
        let corners = |triangle: &[u32; 3]| triangle.map(|k| surface.vertices[k as usize]);
        Some(Mass::of_triangles(surface.triangles.iter().map(corners)))
    }

    fn of_directions(shape: &Shape, round: f64) -> Mass {
        let points: Vec<DVec3> = directions(3000).map(|d| farthest(shape.core(), d) + d * round).collect();
        let hull = Shape::hull(&points).ok();
        hull.and_then(|hull| Mass::of_surface(&hull)).unwrap_or(Mass::NOTHING)
    }

    /// Of the solid that triangles enclose, counter-clockwise seen from outside. The volume is negative if they look inward.
    pub fn of_triangles(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Mass {
        let Some([middle, ..]) = triangles.clone().next() else { return Mass::NOTHING };
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in triangles {
            // Tetrahedra to the middle: six times the volume is d, the mean of x is s/4, that of xxᵀ is (Σvvᵀ + ssᵀ)/20.
            let v = corners.map(|x| x - middle);
            let (d, s) = (v[0].dot(v[1].cross(v[2])), v[0] + v[1] + v[2]);
            volume += d / 6.0;
            first += s * (d / 24.0);
            second += (outer(v[0]) + outer(v[1]) + outer(v[2]) + outer(s)) * (d / 120.0);
        }
        if volume == 0.0 {
            return Mass { centre: middle, ..Mass::NOTHING };
        }
        let mean = first / volume;
        let moments = second - outer(mean) * volume;
        let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - moments;
        Mass { volume, centre: middle + mean, inertia }
    }

    fn seen_from(&self, pose: &Pose) -> Mass {
        let turn = pose.matrix();
        let inertia = turn * self.inertia * turn.transpose();
        Mass { volume: self.volume, centre: pose.apply(self.centre), inertia }
    }

    fn and(&self, other: &Mass) -> Mass {
        let volume = self.volume + other.volume;
        if volume == 0.0 {
            return Mass::NOTHING;
        }
        let centre = (self.centre * self.volume + other.centre * other.volume) / volume;
        let moved = |mass: &Mass| mass.inertia + about(mass.centre - centre) * mass.volume;
        Mass { volume, centre, inertia: moved(self) + moved(other) }
    }
}

/// Inertia of a unit mass at x about the origin.
fn about(x: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(x.length_squared())) - outer(x)
}

fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}

/// Even over the sphere: a spiral of the golden angle.
fn directions(count: u32) -> impl Iterator<Item = DVec3> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    (0..count).map(move |k| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
        let (sin, cos) = (golden * f64::from(k)).sin_cos();
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * cos, across * sin, z)
    })
}

/// A point of a core farthest along a unit vector.
fn farthest(core: &Core, d: DVec3) -> DVec3 {
    let of = |points: &[DVec3]| {
        points.iter().copied().max_by(|a, b| a.dot(d).total_cmp(&b.dot(d))).unwrap_or(DVec3::ZERO)
    };
    let rim = |radius: f64| DVec3::new(d.x, d.y, 0.0).normalize_or_zero() * radius;
    match core {
        Core::Segment(ends) => of(ends),
        Core::Triangle(corners) => of(corners),
        Core::Box(half) => DVec3::select(d.cmplt(DVec3::ZERO), -*half, *half),
        Core::Hull(hull) => of(hull.vertices()),
        Core::Ellipsoid(radii) => *radii * (*radii * d).normalize_or_zero(),
        Core::Cylinder { half_length, radius } => rim(*radius) + DVec3::Z * half_length.copysign(d.z),
        Core::Cone { half_length, radius } => {
            let base = rim(*radius) - DVec3::Z * *half_length;
            of(&[DVec3::Z * *half_length, base])
        }
        Core::User(set) => set.support(d),
        Core::Point | Core::HalfSpace { .. } | Core::Union(_) => DVec3::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_convex::Part;

    /// Sums over random points, inside as the convex kernel tells.
    fn counted(shape: &Shape, size: f64) -> Mass {
        let mut query = kontakt_convex::ConvexQuery::new();
        let mut random = fastrand::Rng::with_seed(1);
        let (count, dot) = (200_000, Shape::point());
        let (mut inside, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for _ in 0..count {
            let x = (DVec3::new(random.f64(), random.f64(), random.f64()) * 2.0 - 1.0) * size;
            let pose = Pose::from_axis_angle(DVec3::Z, 0.0, x).unwrap();
            let (body, dot) = (PlacedShape::new(shape, Pose::IDENTITY), PlacedShape::new(&dot, pose));
            if query.intersect(body, dot) != kontakt_convex::Verdict::Separate {
                inside += 1.0;
                first += x;
                second += outer(x);
            }
        }
        let unit = (2.0 * size).powi(3) / f64::from(count);
        let mean = first / inside;
        let moments = (second - outer(mean) * inside) * unit;
        let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - moments;
        Mass { volume: inside * unit, centre: mean, inertia }
    }

    #[test]
    fn masses_are_those_of_points_counted() {
        let turned = Pose::from_axis_angle(DVec3::ONE, 0.7, DVec3::new(0.3, 0.1, -0.2)).unwrap();
        let lump = |shape| Part { shape, pose: turned };
        let slab = DVec3::new(0.9, 0.5, 0.3);
        let shapes = [
            Shape::sphere(0.8).unwrap(),
            Shape::cuboid(slab).unwrap(),
            Shape::cuboid(slab * 0.7).unwrap().with_margin(0.2).unwrap(),
            Shape::capsule(0.4, 0.5).unwrap(),
            Shape::cylinder(0.7, 0.5).unwrap(),
            Shape::cone(0.8, 0.9).unwrap(),
            Shape::ellipsoid(slab).unwrap(),
            Shape::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y * 0.8, DVec3::Z * 0.9, DVec3::NEG_ONE * 0.7])
                .unwrap(),
            Shape::union(vec![lump(Shape::cylinder(0.3, 0.4).unwrap())]).unwrap(),
        ];
        for shape in &shapes {
            let (found, known) = (Mass::of_shape(shape), counted(shape, 1.2));
            assert!((found.volume / known.volume - 1.0).abs() < 0.02, "{shape:?}: {found:?} {known:?}");
            assert!((found.centre - known.centre).length() < 0.01, "{shape:?}: {found:?} {known:?}");
            let off = (found.inertia - known.inertia)
                .to_cols_array()
                .into_iter()
                .fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(
                off < 0.03 * known.inertia.x_axis.x.max(known.inertia.z_axis.z),
                "{shape:?}: {found:?} {known:?}"
            );
        }
    }

    #[test]
    fn a_box_of_two_halves_is_a_box() {
        let half = Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)).unwrap();
        let at = |x: f64| Pose::from_axis_angle(DVec3::Z, 0.0, DVec3::X * x).unwrap();
        let parts = [0.5, -0.5].map(|x| Part { shape: half.clone(), pose: at(x) }).to_vec();
        let both = Mass::of_shape(&Shape::union(parts).unwrap());
        let whole = Mass::of_shape(&Shape::cuboid(DVec3::new(1.0, 0.4, 0.3)).unwrap());
        assert!((both.volume - whole.volume).abs() < 1e-14 && both.centre.length() < 1e-15);
        assert!(both.inertia.abs_diff_eq(whole.inertia, 1e-14), "{both:?} {whole:?}");
    }
}
