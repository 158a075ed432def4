//! Knots can be put in, and splines cut, without a change of shape.

mod random;
mod thesis;

use random::{nurbs_curve, nurbs_surface};

#[test]
fn a_knot_more_changes_no_curve() {
    let mut rng = fastrand::Rng::with_seed(61);
    for _ in 0..200 {
        let curve = nurbs_curve(&mut rng);
        let [lo, hi] = curve.domain();
        let knot = lo + (hi - lo) * rng.f64();
        let more = curve.with_knot(knot).unwrap();
        let [before, after] = curve.split(knot).unwrap();
        assert_eq!(before.domain(), [lo, knot]);
        assert_eq!(after.domain(), [knot, hi]);
        for _ in 0..20 {
            let t = lo + (hi - lo) * rng.f64();
            let point = curve.jet(t).point;
            let part = if t < knot { &before } else { &after };
            assert!((more.jet(t).point - point).length() < 1e-11, "{curve:?} {knot}");
            assert!((part.jet(t).point - point).length() < 1e-11, "{curve:?} {knot}");
        }
        assert!(curve.split(lo).is_none() && curve.split(hi).is_none());
        // As often as it goes, then no more.
        let most = (0..9).fold(curve.clone(), |curve, _| curve.with_knot(knot).unwrap());
        assert_eq!(most.knots().iter().filter(|&&k| k == knot).count(), curve.degree());
    }
}

#[test]
fn a_knot_more_changes_no_surface() {
    let mut rng = fastrand::Rng::with_seed(62);
    for _ in 0..100 {
        let surface = nurbs_surface(&mut rng);
        let domain = surface.domain();
        for along in 0..2 {
            let [lo, hi] = domain[along];
            let knot = lo + (hi - lo) * rng.f64();
            let more = surface.with_knot(along, knot).unwrap();
            let [before, after] = surface.split(along, knot).unwrap();
            for _ in 0..10 {
                let at = domain.map(|[lo, hi]| lo + (hi - lo) * rng.f64());
                let point = surface.jet(at[0], at[1]).point;
                let part = if at[along] < knot { &before } else { &after };
                assert!((more.jet(at[0], at[1]).point - point).length() < 1e-10);
                assert!((part.jet(at[0], at[1]).point - point).length() < 1e-10);
            }
        }
    }
}

/// Closed along u where rows coincide, and breaks are the distinct knots.
#[test]
fn closure_and_breaks() {
    let mut rng = fastrand::Rng::with_seed(63);
    for _ in 0..50 {
        let surface = nurbs_surface(&mut rng);
        let [us, vs] = surface.breaks();
        assert_eq!([us[0], us[us.len() - 1]], surface.domain()[0]);
        assert!(us.windows(2).chain(vs.windows(2)).all(|pair| pair[0] < pair[1]));
        assert_eq!(surface.closes(), [false; 2]);
    }
    assert_eq!(thesis::torus().closes(), [true, true]);
    assert_eq!(thesis::sphere().closes(), [true, false]);
    assert_eq!(thesis::wave().closes(), [false, false]);
}
