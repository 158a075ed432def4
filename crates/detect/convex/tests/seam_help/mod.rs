//! Bodies nested in unions, and what is true of them by their leaves alone.

use kontakt_convex::{Part, PlacedShape, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use num_traits::ToPrimitive;
use testbodies::convex::shape;
use testkit::Generator;
use testkit::convex::half_space::{HalfSpace, half_space_truth};
use testkit::convex::pairs::{Family, Form, Item, Mode, pair};
use testkit::convex::truth::{Side, truth_to};
use testkit::convex::{Body, Posed};
use testkit::rational::{exact, integer};

/// What a leaf is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Form(Form),
    HalfSpace([f64; 3], f64),
}

/// A shape with its pose in the world and all margins that grow it.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    kind: Kind,
    margins: Vec<f64>,
    rotation: [f64; 4],
    translation: [f64; 3],
}

/// A shape of the product, and the leaves that it is made of.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
    pub(crate) leaves: Vec<Leaf>,
}

/// What the leaves tell.
pub(crate) struct Expected {
    pub(crate) side: Side,
    /// Bounds of the least separation of two leaves.
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) size: f64,
    pub(crate) pairs: usize,
    pub(crate) is_round: bool,
}

impl Leaf {
    fn sharp(&self) -> Shape {
        match &self.kind {
            Kind::Form(form) => shape(&self.item(form, 0.0)),
            Kind::HalfSpace(normal, offset) => {
                Shape::half_space(DVec3::from_array(*normal), *offset).unwrap()
            }
        }
    }

    fn item(&self, form: &Form, margin: f64) -> Item {
        Item { form: form.clone(), margin, rotation: self.rotation, translation: self.translation }
    }

    /// With all radii, and more, as a sum of two doubles; none where it takes three.
    fn body(&self, form: &Form, more: &[f64]) -> Option<Body> {
        let mut body = self.item(form, 0.0).body();
        let all = self.margins.iter().chain(more).chain(&body.radii);
        let sum = all.fold(integer(0), |sum, radius| sum + exact(*radius));
        let high = sum.to_f64()?;
        let rest = sum - exact(high);
        let low = rest.to_f64()?;
        body.radii = [high, low];
        (exact(low) == rest).then_some(body)
    }

    fn pose(&self) -> Pose {
        Pose::new(DQuat::from_array(self.rotation), DVec3::from_array(self.translation)).unwrap()
    }
}

impl Nested {
    pub(crate) fn placed(&self) -> PlacedShape<'_> {
        PlacedShape::new(&self.shape, self.pose)
    }

    /// One union of all leaves, each with its whole margin; none where that is no double.
    pub(crate) fn flat(&self) -> Option<Nested> {
        let part = |leaf: &Leaf| {
            let sum = leaf.margins.iter().fold(integer(0), |sum, margin| sum + exact(*margin));
            let margin = sum.to_f64()?;
            let shape = leaf.sharp().with_margin(margin).ok()?;
            (exact(margin) == sum).then(|| Part { shape, pose: leaf.pose() })
        };
        let parts = self.leaves.iter().map(part).collect::<Option<Vec<_>>>()?;
        Some(Nested { shape: Shape::union(parts).ok()?, pose: Pose::IDENTITY, leaves: self.leaves.clone() })
    }
}

/// Case number `number` of a kind: the same for ever. With `spaces`, half-spaces are among the parts of the first body.
pub(crate) fn case(family: Family, mode: Mode, spaces: bool, number: u64) -> [Nested; 2] {
    let [first, second] = pair(family, mode, number);
    let seed = number.wrapping_mul(0xD1B5_4A32_D192_ED03) ^ 0x4D;
    let mut random = if mode == Mode::Grid { Generator::grid(seed) } else { Generator::free(seed) };
    let a = nested(&mut random, mode, &first, spaces);
    let b = nested(&mut random, mode, &second, false);
    [a, b]
}

/// A rotation that moves coordinates about without rounding them: half turns, with small integers thirds of a turn too.
fn turn(random: &mut Generator, mode: Mode) -> DQuat {
    let sign = |random: &mut Generator| if random.index(2) == 0 { 1.0 } else { -1.0 };
    if mode == Mode::Grid && random.index(2) == 0 {
        return DQuat::from_array(std::array::from_fn(|_| 0.5 * sign(random)));
    }
    let mut q = [0.0; 4];
    q[random.index(4)] = sign(random);
    DQuat::from_array(q)
}

/// The exact pose inside of `outer` of what is at `world`.
fn inside(outer: &Pose, world: (DQuat, DVec3)) -> Option<Pose> {
    let back = outer.given_rotation().conjugate();
    let offset = world.1 - outer.translation();
    let is_exact = offset + outer.translation() == world.1 && world.1 - offset == outer.translation();
    is_exact.then(|| Pose::new(back * world.0, back * offset).ok())?
}

fn nested(random: &mut Generator, mode: Mode, item: &Item, spaces: bool) -> Nested {
    let depth = random.index(5);
    // Halves and halves of halves add up again without rounding; at times more than the margin, rounded or not.
    let mut left = item.margin;
    let mut share = |random: &mut Generator, last: bool| match random.index(4) {
        0 => 0.0,
        1 if mode != Mode::Kiss => {
            let more = f64::from(random.integer(0..=4)) * 0.25;
            if mode == Mode::Free && random.index(2) == 0 { more * random.unit() } else { more }
        }
        _ => {
            let taken = if last { left } else { 0.5 * left };
            left -= taken;
            taken
        }
    };
    let own = share(random, depth == 0);
    let is_space = spaces && random.index(2) == 0;
    let kind = if is_space { half_space(random) } else { Kind::Form(item.form.clone()) };
    let leaf = Leaf { kind, margins: vec![own], rotation: item.rotation, translation: item.translation };
    let mut shape = leaf.sharp().with_margin(own).unwrap();
    let mut place = (DQuat::from_array(item.rotation), DVec3::from_array(item.translation));
    let mut leaves = vec![leaf];
    for level in 1..=depth {
        let origin = DVec3::from_array(random.point()) * if mode == Mode::Grid { 1.0 } else { 0.0 };
        let outer = Pose::new(turn(random, mode), origin).unwrap();
        let Some(inner) = inside(&outer, place) else { break };
        let mut parts = vec![Part { shape, pose: inner }];
        for _ in 0..random.index(3) {
            if leaves.len() < 3 {
                let (part, leaf) = sibling(random, mode, spaces, &outer, item);
                parts.insert(random.index(parts.len() + 1), part);
                leaves.push(leaf);
            }
        }
        let margin = share(random, level == depth);
        shape = Shape::union(parts).unwrap().with_margin(margin).unwrap();
        for leaf in &mut leaves {
            leaf.margins.push(margin);
        }
        place = (outer.given_rotation(), outer.translation());
    }
    Nested { shape, pose: Pose::new(place.0, place.1).unwrap(), leaves }
}

fn half_space(random: &mut Generator) -> Kind {
    let normal = loop {
        let normal = random.point();
        if normal.iter().any(|x| x.abs() > 0.1) {
            break normal;
        }
    };
    Kind::HalfSpace(normal, random.coordinate() - 2.0)
}

/// A further part of the union at `outer`, mostly farther away.
fn sibling(random: &mut Generator, mode: Mode, spaces: bool, outer: &Pose, near: &Item) -> (Part, Leaf) {
    let far = f64::from(random.integer(0..=6));
    let way = random.point().map(|x| (x * 16.0).round() / 16.0 * far);
    let kind = if spaces && random.index(3) == 0 {
        half_space(random)
    } else {
        let round = [
            Form::Sphere(0.5),
            Form::Box([0.5, 0.25, 0.75]),
            Form::Cylinder(0.5, 0.25),
            Form::Ellipsoid([0.5; 3]),
        ];
        let count =
            if matches!(near.form, Form::Ellipsoid(_) | Form::Cylinder(..) | Form::Cone(..)) { 4 } else { 2 };
        Kind::Form(round[random.index(count)].clone())
    };
    let local = Pose::new(turn(random, mode), DVec3::from_array(way)).unwrap();
    let rotation = outer.given_rotation() * local.given_rotation();
    let translation = outer.given_rotation() * local.translation() + outer.translation();
    let own = f64::from(random.integer(0..=2)) * 0.125;
    let leaf =
        Leaf { kind, margins: vec![own], rotation: rotation.to_array(), translation: translation.to_array() };
    (Part { shape: leaf.sharp().with_margin(own).unwrap(), pose: local }, leaf)
}

/// Side, bounds of the separation and size of two leaves; none where there is no reference.
fn of_pair(a: &Leaf, b: &Leaf) -> Option<(Side, f64, f64, f64, bool)> {
    let Kind::Form(form_b) = &b.kind else { return None };
    let (truth, reach, is_round) = match &a.kind {
        Kind::HalfSpace(normal, offset) => {
            let body = b.body(form_b, &a.margins)?;
            let space = HalfSpace {
                normal: *normal,
                offset: *offset,
                margin: 0.0,
                rotation: a.rotation,
                translation: a.translation,
            };
            let reach = Posed::of(&body).reach + offset.abs() + 12.0;
            (half_space_truth(&space, &body), reach + body.radii[0], !body.core.is_polytope())
        }
        Kind::Form(form_a) => {
            let bodies = [a.body(form_a, &[])?, b.body(form_b, &[])?];
            let reach: f64 = bodies.iter().map(|body| Posed::of(body).reach + body.radii[0]).sum();
            let is_round = bodies.iter().any(|body| !body.core.is_polytope());
            (truth_to(&bodies[0], &bodies[1], 1e-12, 200)?, reach, is_round)
        }
    };
    let error = truth.error + 1e-15 * reach;
    Some((truth.side, truth.separation.high - error, truth.separation.high + error, reach, is_round))
}

/// The least of all pairs of leaves.
pub(crate) fn expected([a, b]: &[Nested; 2]) -> Option<Expected> {
    let mut all = Vec::new();
    for one in &a.leaves {
        for other in &b.leaves {
            all.push(of_pair(one, other)?);
        }
    }
    let has = |side: Side| all.iter().any(|pair| pair.0 == side);
    let order = [Side::Overlapping, Side::Near, Side::Touching, Side::Apart];
    let least =
        |of: fn(&(Side, f64, f64, f64, bool)) -> f64| all.iter().map(of).fold(f64::INFINITY, f64::min);
    Some(Expected {
        side: order.into_iter().find(|side| has(*side))?,
        low: least(|pair| pair.1),
        high: least(|pair| pair.2),
        size: -least(|pair| -pair.3),
        pairs: all.len(),
        is_round: all.iter().any(|pair| pair.4),
    })
}
