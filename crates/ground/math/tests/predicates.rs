//! Predicates: the sign is that of the exact determinant, from 1e-323 to 1e308, generic and degenerate.

use kontakt_math::predicates::{Sign, certain_side, incircle, insphere, orient2d, orient3d};
use kontakt_math::{DVec2, DVec3};
use testkit::{Generator, predicate};

fn number(sign: Sign) -> i32 {
    match sign {
        Sign::Negative => -1,
        Sign::Zero => 0,
        Sign::Positive => 1,
    }
}

/// Scales from harmless to the ends of the range; `None` gives every coordinate its own.
const SCALES: [Option<f64>; 9] = [
    Some(1.0),
    Some(1e-300),
    Some(1e300),
    Some(5e-324),
    Some(5e307),
    Some(1e-160),
    Some(1e100),
    Some(1e-60),
    None,
];

fn points<const D: usize>(data: &mut Generator, n: usize, scale: Option<f64>) -> Vec<[f64; D]> {
    let wild = |x: f64| match scale {
        Some(s) => x * s,
        None => x * 10f64.powi(i32::try_from(x.to_bits() % 600).expect("small") - 300),
    };
    (0..n).map(|_| std::array::from_fn(|_| wild(data.coordinate()))).collect()
}

#[test]
fn signs_are_exact_at_every_scale() {
    let mut zeros = 0;
    let mut tested = 0;
    for mut data in [Generator::free(11), Generator::grid(12)] {
        for scale in SCALES {
            for round in 0..40 {
                let mut p: Vec<[f64; 3]> = points(&mut data, 5, scale);
                if round % 3 == 0 {
                    // Nearly coplanar: the last point on the first's line to rounding.
                    p[3] = std::array::from_fn(|i| 0.5 * p[0][i] + 0.5 * p[1][i]);
                }
                let v: Vec<DVec3> = p.iter().map(|&x| DVec3::from_array(x)).collect();
                let rows: Vec<&[f64]> = p.iter().map(<[f64; 3]>::as_slice).collect();
                // Row operations turn (p, 1) into (p − d): for four rows the sign is that of the definition.
                let expected = predicate::homogeneous(&rows[..4], false);
                assert_eq!(number(orient3d(v[0], v[1], v[2], v[3])), expected, "{p:?}");
                let inside = predicate::homogeneous(&rows, true);
                assert_eq!(number(insphere(v[0], v[1], v[2], v[3], v[4])), inside, "{p:?}");
                let q: Vec<[f64; 2]> = points(&mut data, 4, scale);
                let w: Vec<DVec2> = q.iter().map(|&x| DVec2::from_array(x)).collect();
                let rows: Vec<&[f64]> = q.iter().map(<[f64; 2]>::as_slice).collect();
                let turn = predicate::homogeneous(&rows[..3], false);
                assert_eq!(number(orient2d(w[0], w[1], w[2])), turn, "{q:?}");
                let inside = predicate::homogeneous(&rows, true);
                assert_eq!(number(incircle(w[0], w[1], w[2], w[3])), inside, "{q:?}");
                tested += 4;
                zeros += usize::from(expected == 0) + usize::from(turn == 0);
            }
        }
    }
    assert!(zeros > tested / 40, "generator drifted: {zeros} degenerate of {tested}");
}

#[test]
fn the_documented_sides_hold() {
    let [a, b, c] = [DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(orient3d(a, b, c, -DVec3::Z), Sign::Positive);
    let [p, q, r] = [DVec2::ZERO, DVec2::X, DVec2::Y];
    assert_eq!(orient2d(p, q, r), Sign::Positive);
    assert_eq!(incircle(p, q, r, DVec2::splat(0.5)), Sign::Positive);
    assert_eq!(incircle(p, q, r, DVec2::ONE), Sign::Zero);
    assert_eq!(insphere(a, b, c, -DVec3::Z, DVec3::new(0.2, 0.2, -0.2)), Sign::Positive);
}

#[test]
fn numbers_that_are_not_finite_give_zero() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let p = DVec3::new(1.0, bad, 2.0);
        assert_eq!(orient3d(p, DVec3::X, DVec3::Y, DVec3::Z), Sign::Zero);
        assert_eq!(insphere(p, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE), Sign::Zero);
        assert_eq!(orient2d(DVec2::new(bad, 0.0), DVec2::X, DVec2::Y), Sign::Zero);
    }
}

/// A sign said to be certain holds for all points within the error, nearly flat ones among them; most that are far from flat are certain.
#[test]
fn certain_signs_survive_the_error() {
    let mut data = Generator::free(15);
    let (mut certain, mut open) = (0, 0);
    for round in 0..4000 {
        let error = [1e-3, 1e-6, 1e-12][round % 3];
        let [p, q, r, mut s] = [(); 4].map(|()| DVec3::from_array(points::<3>(&mut data, 1, Some(1.0))[0]));
        if round % 2 == 0 {
            // About as far from the plane as the error.
            s = (p + q + r) / 3.0 + (s - p) * (4.0 * error);
        }
        let found = certain_side(p, q, r, s, error);
        let mut off = || {
            let away = DVec3::from_array(points::<3>(&mut data, 1, Some(1.0))[0]);
            away * (error * 0.999 / away.length().max(f64::MIN_POSITIVE))
        };
        for _ in 0..4 {
            let moved = orient3d(p + off(), q + off(), r + off(), s + off());
            assert!(found.is_none_or(|sign| sign == moved), "{p} {q} {r} {s} {error}");
        }
        if found.is_some() {
            certain += 1;
        } else {
            open += 1;
        }
    }
    assert!(certain > 1500 && open > 500, "{certain} {open}");
    assert_eq!(certain_side(DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO, f64::NAN), None);
    assert_eq!(certain_side(DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO, f64::INFINITY), None);
    assert_eq!(certain_side(DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO, 0.0), Some(Sign::Positive));
}
