//! Every operator and every way of cutting finds the same zeros, and proves them.

use kontakt_curved::newton::{Cell, Known, Operator, Options, Split, System, search};
use kontakt_math::Interval;

const OPERATORS: [Operator; 6] = [
    Operator::Newton,
    Operator::Krawczyk,
    Operator::Jacobi,
    Operator::GaussSeidel,
    Operator::MultiRow,
    Operator::MixedRows,
];
const SPLITS: [Split; 4] = [Split::All, Split::Longest, Split::Steepest, Split::Staircase];

fn point(x: f64) -> Interval {
    Interval::point(x)
}

fn is_narrow<const N: usize>(x: &Cell<N>) -> bool {
    x.iter().all(|x| x.width() < 1e-9)
}

/// x² + y² = 1 and y = a + x²: four zeros, two or none, and for a = 1 a double one.
struct CircleParabola(f64);

impl System<2, 2> for CircleParabola {
    fn value(&self, [x, y]: &Cell<2>) -> [Interval; 2] {
        [x.square() + y.square() - point(1.0), x.square() + point(self.0) - *y]
    }

    fn jacobian(&self, [x, y]: &Cell<2>) -> [[Interval; 2]; 2] {
        let two = point(2.0);
        [[two * *x, two * *y], [two * *x, point(-1.0)]]
    }

    fn is_small(&self, x: &Cell<2>, _: &[Interval; 2]) -> bool {
        is_narrow(x)
    }
}

/// Zeros in plain algebra: y² + y − a − 1 = 0, x² = y − a.
fn expected(a: f64) -> Vec<[f64; 2]> {
    let root = (1.25 + a).sqrt();
    let heights = [-0.5 + root, -0.5 - root];
    heights
        .into_iter()
        .filter(|y| y - a > 0.0)
        .flat_map(|y| [[(y - a).sqrt(), y], [-(y - a).sqrt(), y]])
        .collect()
}

#[test]
fn all_operators_and_splits_agree() {
    for a in [-1.1, -0.5, 0.3] {
        for operator in OPERATORS {
            for split in SPLITS {
                let options = Options { operator, split, boxes: 50_000 };
                let within = [Interval::new(-2.0, 2.1), Interval::new(-2.2, 2.0)];
                let found = search(&CircleParabola(a), within, &options);
                let expected = expected(a);
                assert!(found.complete, "{operator:?} {split:?} {a}: {}", found.boxes);
                assert_eq!(found.places.len(), expected.len(), "{operator:?} {split:?} {a}: {found:?}");
                for zero in expected {
                    let near = |place: &kontakt_curved::newton::Place<2>| {
                        (0..2).all(|i| (place.within[i].middle() - zero[i]).abs() < 1e-8)
                            && place.known == Known::One
                    };
                    assert!(found.places.iter().any(near), "{operator:?} {split:?} {a}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn a_double_zero_is_kept_but_not_proven() {
    let within = [Interval::new(-2.0, 2.1), Interval::new(0.0, 2.0)];
    let found = search(&CircleParabola(1.0), within, &Options::default());
    let holds = |place: &kontakt_curved::newton::Place<2>| {
        place.within[0].contains(0.0) && place.within[1].contains(1.0)
    };
    assert!(found.places.iter().any(|place| holds(place) && place.known == Known::Nothing), "{found:?}");
    assert!(found.places.iter().all(|place| place.known != Known::One), "{found:?}");
}

#[test]
fn a_search_cut_short_still_covers_every_zero() {
    for boxes in 0..20 {
        let within = [Interval::new(-2.0, 2.1), Interval::new(-2.2, 2.0)];
        let found = search(&CircleParabola(-1.1), within, &Options { boxes, ..Options::default() });
        for zero in expected(-1.1) {
            let holds = |place: &kontakt_curved::newton::Place<2>| {
                (0..2).all(|i| {
                    place.within[i].lo() - 1e-12 <= zero[i] && zero[i] <= place.within[i].hi() + 1e-12
                })
            };
            assert!(found.places.iter().any(holds), "{boxes}: {found:?}");
        }
    }
}

/// A zero at the end of what is searched is found; whether it is inside cannot be told.
#[test]
fn a_zero_at_the_border_is_kept() {
    struct Line;
    impl System<1, 1> for Line {
        fn value(&self, [x]: &Cell<1>) -> [Interval; 1] {
            [x.square() - point(2.0)]
        }
        fn jacobian(&self, [x]: &Cell<1>) -> [[Interval; 1]; 1] {
            [[point(2.0) * *x]]
        }
        fn is_small(&self, x: &Cell<1>, _: &[Interval; 1]) -> bool {
            is_narrow(x)
        }
    }
    let root = 2.0_f64.sqrt();
    let found = search(&Line, [Interval::new(root.next_down(), 3.0)], &Options::default());
    assert_eq!(found.places.len(), 1);
    let whole = search(&Line, [Interval::new(-3.0, 3.0)], &Options::default());
    assert_eq!(whole.places.iter().filter(|place| place.known == Known::One).count(), 2, "{whole:?}");
}

/// Three spheres about (0,0,0), (1,0,0) and (0,1,0): two zeros in three unknowns.
struct Spheres;

impl System<3, 3> for Spheres {
    fn value(&self, [x, y, z]: &Cell<3>) -> [Interval; 3] {
        let off =
            |a: f64, b: f64| (*x - point(a)).square() + (*y - point(b)).square() + z.square() - point(1.5);
        [off(0.0, 0.0), off(1.0, 0.0), off(0.0, 1.0)]
    }

    fn jacobian(&self, [x, y, z]: &Cell<3>) -> [[Interval; 3]; 3] {
        let two = point(2.0);
        let row = |a: f64, b: f64| [two * (*x - point(a)), two * (*y - point(b)), two * *z];
        [row(0.0, 0.0), row(1.0, 0.0), row(0.0, 1.0)]
    }

    fn is_small(&self, x: &Cell<3>, _: &[Interval; 3]) -> bool {
        is_narrow(x)
    }
}

#[test]
fn three_unknowns() {
    for operator in
        [Operator::Newton, Operator::Krawczyk, Operator::GaussSeidel, Operator::MultiRow, Operator::MixedRows]
    {
        for split in SPLITS {
            let options = Options { operator, split, boxes: 200_000 };
            let found = search(&Spheres, [Interval::new(-2.0, 2.1); 3], &options);
            assert!(found.complete, "{operator:?} {split:?}");
            assert_eq!(found.places.len(), 2, "{operator:?} {split:?}: {found:?}");
            for place in found.places {
                assert_eq!(place.known, Known::One);
                assert!((place.within[0].middle() - 0.5).abs() < 1e-8);
                assert!((place.within[2].middle().abs() - 1.0).abs() < 1e-8);
            }
        }
    }
}
