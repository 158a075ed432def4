//! Seeded pairs of convex bodies: free, degenerate, thin, huge and tiny, and brought to touch up to rounding.

use super::body::{Body, Core, Posed};
use super::truth::truth;
use crate::Generator;
use crate::twin::Twin;

/// A shape as the product's makers take it.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// The origin.
    Point,
    /// By its radius.
    Sphere(f64),
    /// By its ends.
    Segment([[f64; 3]; 2]),
    /// By its corners.
    Triangle([[f64; 3]; 3]),
    /// By its half extents.
    Box([f64; 3]),
    /// Half length along z and radius.
    Capsule(f64, f64),
    /// By its points.
    Hull(Vec<[f64; 3]>),
    /// By its radii.
    Ellipsoid([f64; 3]),
    /// Half length along z and radius.
    Cylinder(f64, f64),
    /// Half length along z and radius, apex up.
    Cone(f64, f64),
}

/// A form with a margin at a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The shape.
    pub form: Form,
    /// Rounds it outward.
    pub margin: f64,
    /// x y z w
    pub rotation: [f64; 4],
    /// Where the origin goes.
    pub translation: [f64; 3],
}

impl Item {
    /// The same for the references.
    pub fn body(&self) -> Body {
        let (core, round) = match &self.form {
            Form::Point => (Core::of_points(vec![[0.0; 3]]), 0.0),
            Form::Sphere(radius) => (Core::of_points(vec![[0.0; 3]]), *radius),
            Form::Segment(ends) => (Core::of_points(ends.to_vec()), 0.0),
            Form::Triangle(corners) => (Core::of_points(corners.to_vec()), 0.0),
            Form::Box(half) => (Core::cuboid(*half), 0.0),
            Form::Capsule(half, radius) => {
                (Core::of_points(vec![[0.0, 0.0, -half], [0.0, 0.0, *half]]), *radius)
            }
            Form::Hull(points) => (Core::of_points(points.clone()), 0.0),
            Form::Ellipsoid(radii) => (Core::Ellipsoid(*radii), 0.0),
            Form::Cylinder(half_length, radius) => {
                (Core::Cylinder { half_length: *half_length, radius: *radius }, 0.0)
            }
            Form::Cone(half_length, radius) => {
                (Core::Cone { half_length: *half_length, radius: *radius }, 0.0)
            }
        };
        Body { core, radii: [round, self.margin], rotation: self.rotation, translation: self.translation }
    }
}

/// How pairs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Random reals of order 1.
    Free,
    /// Small integers, rotations of the cube: touching, coplanar, zero-size and duplicate cases by the thousand.
    Grid,
    /// Sizes along the axes differ by up to a million.
    Thin,
    /// Sizes from 1e-9 to 1e9 beside each other.
    Scales,
    /// Free or thin, then moved along the normal until they touch up to rounding.
    Kiss,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 5] = [Mode::Free, Mode::Grid, Mode::Thin, Mode::Scales, Mode::Kiss];
}

/// Which forms are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Points, segments, triangles, boxes, hulls, spheres, capsules, all with and without margin.
    Polytopal,
    /// At least one ellipsoid, cylinder or cone in each pair.
    Round,
}

/// Pair number `number` of a kind: the same for ever.
pub fn pair(family: Family, mode: Mode, number: u64) -> [Item; 2] {
    let seed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((mode as u64) << 8 | family as u64);
    let mut random = if mode == Mode::Grid { Generator::grid(seed) } else { Generator::free(seed) };
    let round = random.index(2);
    let mut items = [0, 1].map(|i| item(&mut random, mode, family == Family::Round && i == round));
    if family == Family::Round && random.index(3) == 0 {
        items[1 - round] = item(&mut random, mode, true);
    }
    if mode == Mode::Grid && random.index(2) == 0 {
        bring_beside(&mut random, &mut items);
    }
    if mode == Mode::Scales {
        spread(&mut random, &mut items);
    }
    if mode == Mode::Kiss || mode == Mode::Scales && random.index(2) == 0 {
        bring_to_touch(&mut random, &mut items);
    }
    items
}

fn item(random: &mut Generator, mode: Mode, round: bool) -> Item {
    let thin = mode == Mode::Thin || mode == Mode::Kiss && random.index(3) == 0;
    let length = |random: &mut Generator| match mode {
        Mode::Grid => f64::from(random.integer(0..=2)),
        _ if thin && random.index(2) == 0 => 1e-6 * (0.2 + random.unit()),
        _ => 0.1 + 0.9 * random.unit(),
    };
    let form = if round {
        let radii = [length(random), length(random), length(random)];
        match random.index(3) {
            0 => Form::Ellipsoid(radii),
            1 => Form::Cylinder(radii[0], radii[1]),
            _ => Form::Cone(radii[0], radii[1]),
        }
    } else {
        let (h, r) = (length(random), length(random));
        let stretch = [h, r, length(random)].map(|x| if thin { x } else { 1.0 });
        let point = |random: &mut Generator| {
            let p = random.point();
            std::array::from_fn(|k| p[k] * stretch[k])
        };
        match random.index(8) {
            0 if random.index(3) == 0 => Form::Point,
            0 | 1 => Form::Sphere(h),
            2 => Form::Segment([point(random), point(random)]),
            3 => Form::Triangle([point(random), point(random), point(random)]),
            4 | 5 => Form::Box([h, r, length(random)]),
            6 => Form::Capsule(h, r),
            _ => {
                let n = 1 + random.index(10);
                Form::Hull((0..n).map(|_| point(random)).collect())
            }
        }
    };
    let margin = if random.index(4) == 0 { length(random) } else { 0.0 };
    let near = if mode == Mode::Grid { f64::from(random.integer(0..=1)) } else { 0.6 };
    Item { form, margin, rotation: random.quaternion(), translation: random.point().map(|x| near * x) }
}

/// Scales each body by its own power of ten; the second one goes to the first one's surroundings or interior.
fn spread(random: &mut Generator, items: &mut [Item; 2]) {
    let mut largest: f64 = 0.0;
    for item in items.iter_mut() {
        let scale = 10f64.powi(random.integer(-9..=9));
        largest = largest.max(scale);
        item.margin *= scale;
        let stretch = |p: &mut [f64; 3]| *p = p.map(|x| x * scale);
        match &mut item.form {
            Form::Point => {}
            Form::Sphere(radius) => *radius *= scale,
            Form::Segment(ends) => ends.iter_mut().for_each(stretch),
            Form::Triangle(corners) => corners.iter_mut().for_each(stretch),
            Form::Box(radii) | Form::Ellipsoid(radii) => stretch(radii),
            Form::Hull(points) => points.iter_mut().for_each(stretch),
            Form::Capsule(half, radius) | Form::Cylinder(half, radius) | Form::Cone(half, radius) => {
                *half *= scale;
                *radius *= scale;
            }
        }
    }
    items[0].translation = items[0].translation.map(|x| x * largest);
    let way = random.point();
    items[1].translation = std::array::from_fn(|k| items[0].translation[k] + 1.2 * largest * way[k]);
}

/// Moves the second body along an axis until their boxes touch: exactly, since all numbers are small integers.
fn bring_beside(random: &mut Generator, items: &mut [Item; 2]) {
    let axis = random.index(3);
    let along: [Twin; 3] = std::array::from_fn(|k| if k == axis { Twin::ONE } else { Twin::ZERO });
    let [a, b] = [&items[0], &items[1]].map(|item| Posed::of(&item.body()));
    let core = (a.support(&along)[axis] - b.support(&along.map(|x| -x))[axis]).high;
    let radii: f64 = items.iter().flat_map(|item| item.body().radii).sum();
    items[1].translation[axis] += core + radii;
}

/// Moves the second body along the normal by minus the separation, give or take a few ulps.
fn bring_to_touch(random: &mut Generator, items: &mut [Item; 2]) {
    let Some(found) = truth(&items[0].body(), &items[1].body()) else { return };
    let (s, n) = (found.separation.high, found.normal);
    if !n.iter().all(|x| x.is_finite()) {
        return;
    }
    let stray = 1.0 + 3e-16 * f64::from(random.integer(-2..=2));
    for (coordinate, along) in items[1].translation.iter_mut().zip(n) {
        *coordinate -= s * stray * along;
    }
}
