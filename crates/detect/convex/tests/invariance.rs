//! What is true of two bodies does not depend on where they are, on the unit of length, or on the order in which they are given: verdicts are
//! the same, bounds up to rounding. `KONTAKT_CASES` raises the number of pairs of each kind, `KONTAKT_SEED` takes others.

use kontakt_convex::{Answer, ConvexQuery, Verdict};
use testbodies::convex::{placed, shape};
use testkit::convex::pairs::{Family, Form, Item, Mode, pair};
use testkit::convex::{Posed, pairs};
use testkit::run_length::{cases, numbers, seed};

/// All lengths multiplied; exact for a power of two.
fn scaled(item: &Item, factor: f64) -> Item {
    let by = |p: [f64; 3]| p.map(|x| x * factor);
    let form = match &item.form {
        Form::Point => Form::Point,
        Form::Sphere(radius) => Form::Sphere(radius * factor),
        Form::Segment(ends) => Form::Segment(ends.map(by)),
        Form::Triangle(corners) => Form::Triangle(corners.map(by)),
        Form::Box(half) => Form::Box(by(*half)),
        Form::Capsule(half, radius) => Form::Capsule(half * factor, radius * factor),
        Form::Hull(points) => Form::Hull(points.iter().copied().map(by).collect()),
        Form::Ellipsoid(radii) => Form::Ellipsoid(by(*radii)),
        Form::Cylinder(half, radius) => Form::Cylinder(half * factor, radius * factor),
        Form::Cone(half, radius) => Form::Cone(half * factor, radius * factor),
    };
    Item { form, margin: item.margin * factor, translation: by(item.translation), ..item.clone() }
}

/// Elsewhere; none where the place is no double.
fn moved(item: &Item, by: [f64; 3]) -> Option<Item> {
    let translation: [f64; 3] = std::array::from_fn(|i| item.translation[i] + by[i]);
    let is_exact = (0..3).all(|i| translation[i] - by[i] == item.translation[i]);
    is_exact.then(|| Item { translation, ..item.clone() })
}

/// Places of few bits can be added to.
fn of_few_bits(item: &Item) -> Item {
    let grid = 2.0_f64.powi(30);
    Item { translation: item.translation.map(|x| (x * grid).round() / grid), ..item.clone() }
}

fn ask(items: &[Item; 2]) -> [Answer; 3] {
    let shapes = [shape(&items[0]), shape(&items[1])];
    let [a, b] = placed(&shapes, items);
    // Without memory: normals may differ with it, within what is certified.
    let answer = ConvexQuery::new().contact(a, b);
    let met = Answer { verdict: ConvexQuery::new().intersect(b, a), ..answer };
    [answer, ConvexQuery::new().contact(b, a).swapped(), met]
}

/// Whether the answers are the same but for the unit.
fn same(a: &Answer, b: &Answer, factor: f64, size: f64) -> bool {
    let near = |x: f64, y: f64| x * factor == y || (x * factor - y).abs() <= 1e-12 * size * factor;
    a.verdict == b.verdict
        && near(a.separation.lo(), b.separation.lo())
        && near(a.separation.hi(), b.separation.hi())
}

fn check(family: Family, mode: Mode, usual: u64) {
    let (mut moves, mut verdicts) = (0, [0; 4]);
    for number in numbers(usual) {
        let items =
            pair(family, mode, number).map(|item| if mode == Mode::Grid { item } else { of_few_bits(&item) });
        let size: f64 = items.iter().map(|item| Posed::of(&item.body()).reach + item.margin).sum();
        let [answer, swapped, met] = ask(&items);
        verdicts[answer.verdict as usize] += 1;
        assert_eq!(answer, swapped, "{family:?} {mode:?} {number}: swapped");
        assert_eq!(answer.verdict, met.verdict, "{family:?} {mode:?} {number}: intersect");
        for exponent in [-40, -7, 1, 30] {
            let factor = 2.0_f64.powi(exponent);
            let [other, ..] = ask(&items.each_ref().map(|item| scaled(item, factor)));
            assert!(
                same(&answer, &other, factor, size),
                "{family:?} {mode:?} {number}: times 2^{exponent}\n{answer:?}\n{other:?}"
            );
        }
        for by in [[4.0, 0.0, 0.0], [-8.0, 16.0, 2.0], [64.0, -32.0, 128.0]] {
            let [Some(a), Some(b)] = items.each_ref().map(|item| moved(item, by)) else { continue };
            moves += 1;
            let [other, ..] = ask(&[a, b]);
            let is_open = |answer: &Answer| family == Family::Round && answer.verdict == Verdict::Touching;
            let alike = same(&answer, &other, 1.0, size) || (is_open(&answer) && is_open(&other));
            assert!(alike, "{family:?} {mode:?} {number}: moved by {by:?}\n{answer:?}\n{other:?}");
        }
    }
    assert!(moves as u64 > cases(usual), "{moves} moves");
    assert!(verdicts[0] > 0 && verdicts[2] > 0, "{verdicts:?}");
}

#[test]
fn polytopal_pairs_are_the_same_everywhere() {
    for mode in [Mode::Free, Mode::Grid, Mode::Thin, Mode::Kiss] {
        check(Family::Polytopal, mode, 150);
    }
}

#[test]
fn round_pairs_are_the_same_everywhere() {
    for mode in [Mode::Free, Mode::Grid] {
        check(Family::Round, mode, 60);
    }
}

/// Bodies about one axis each, axes parallel, the common turn anything: they have a way of their own.
#[test]
fn parallel_bodies_are_certified() {
    let mut random = testkit::Generator::free(seed(71));
    let (mut sides, mut narrow, mut told) = ([0; 4], 0, 0);
    for number in numbers(150) {
        let rotation = if number % 3 == 0 { [0.0, 0.0, 0.0, 1.0] } else { random.quaternion() };
        let [x, y, z, w] = rotation;
        // The same, or on its head: turned by half a turn about the body's own x.
        let other = if random.index(2) == 0 { rotation } else { [w, z, -y, -x] };
        let level = random.index(3) == 0;
        let mut length = || if level { f64::from(random.integer(1..=4)) * 0.25 } else { 0.1 + random.unit() };
        let mut form = |kind: usize| match kind {
            0 => Form::Cylinder(length(), length()),
            1 => Form::Cone(length(), length()),
            _ => Form::Capsule(length(), length()),
        };
        let forms = [form(number as usize % 2), form(number as usize / 2 % 3)];
        let place = random.point().map(|x| if level { (x * 8.0).round() / 4.0 } else { 2.0 * x });
        let far = if number % 4 == 0 { [0.0, 0.0, place[2]] } else { place };
        let [first, second] = forms;
        let at = |form, rotation, translation| pairs::Item { form, margin: 0.0, rotation, translation };
        let items = [at(first, rotation, [0.0; 3]), at(second, other, far)];
        let bodies = items.each_ref().map(Item::body);
        let Some(truth) = testkit::convex::truth::truth_to(&bodies[0], &bodies[1], 1e-14, 400) else {
            continue;
        };
        let [answer, swapped, met] = ask(&items);
        assert_eq!(answer, swapped, "{number}");
        assert_eq!(answer.verdict, met.verdict, "{number}");
        let wrong = testkit::convex::certify::faults(
            &bodies[0],
            &bodies[1],
            &truth,
            &testbodies::convex::claim(&answer),
        );
        let is_border = answer.verdict == Verdict::Touching && truth.separation.high.abs() < 1e-13;
        assert!(wrong.is_empty() || is_border, "{number}: {wrong}\n{items:?}\n{answer:?}");
        sides[answer.verdict as usize] += 1;
        narrow += usize::from(answer.separation.width() < 1e-12);
        told += 1;
    }
    assert!(narrow * 10 > told * 9 && sides[0] > told / 20 && sides[2] > told / 5, "{narrow} {sides:?}");
}
