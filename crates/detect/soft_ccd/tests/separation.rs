//! Minimum separation: never late, and conservative by no more than it says.

mod soft_help;

use kontakt_math::DVec3;
use kontakt_soft_ccd::{Kind, Nearness, Query, SeparationError, first_within, touches};

/// A distance never less than the exact one, by trying many points.
fn sampled_distance(query: &Query, t: f64) -> f64 {
    let x = [0, 1, 2, 3].map(|i| query.start()[i].lerp(query.end()[i], t));
    let n = 24;
    let share = |i: usize| i as f64 / n as f64;
    let mut least = f64::INFINITY;
    for i in 0..=n {
        for j in 0..=n {
            let gap = match query.kind() {
                Kind::VertexFace if i + j <= n => {
                    x[0] - (x[1] + (x[2] - x[1]) * share(i) + (x[3] - x[1]) * share(j))
                }
                Kind::VertexFace => continue,
                Kind::EdgeEdge => x[0].lerp(x[1], share(i)) - x[2].lerp(x[3], share(j)),
            };
            least = least.min(gap.length());
        }
    }
    least
}

#[test]
fn never_late_and_honest_about_the_excess() {
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        let mut within = 0;
        for query in soft_help::cloth(kind, 150).iter().chain(&soft_help::random(kind, 150)) {
            let distance = 0.05;
            let answer = first_within(query, distance, 1e-6).expect("a length");
            let free_until = match answer {
                Nearness::Farther => 1.0,
                Nearness::Within { time, excess } => {
                    within += 1;
                    assert!(excess <= 1e-6, "{excess}");
                    // Samples miss the nearest points by half a step of the longest edge.
                    assert!(sampled_distance(query, time.hi()) <= distance + 0.2, "{query:?}");
                    time.lo()
                }
            };
            if answer == Nearness::Farther {
                assert!(!touches(query));
                assert!(sampled_distance(query, 1.0) > distance);
            }
            for step in 0..if free_until > 0.0 { 40 } else { 0 } {
                let t = free_until * f64::from(step) / 40.0;
                assert!(sampled_distance(query, t) > distance, "{t} of {free_until}: {query:?}");
            }
        }
        assert!((40..290).contains(&within), "{within} of {kind:?}");
    }
}

/// A vertex over a triangle at rest: the time is known.
#[test]
fn falling_vertex() {
    let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
    for scale in [1e-280, 1.0, 1e280] {
        let at = |z: f64| [DVec3::new(0.25, 0.25, z), face[0], face[1], face[2]].map(|p| p * scale);
        let query = Query::new(Kind::VertexFace, at(1.0), at(-1.0)).expect("finite");
        let Nearness::Within { time, excess } = first_within(&query, 0.5 * scale, 0.0).expect("a length")
        else {
            panic!("it comes within")
        };
        assert!(time.lo() <= 0.25 && time.hi() >= 0.25 - 1e-12 && time.width() < 1e-9, "{time:?}");
        assert!(excess <= 1e-12 * scale, "{excess:e}");
        let away = Query::new(Kind::VertexFace, at(1.0), at(0.6)).expect("finite");
        assert_eq!(first_within(&away, 0.5 * scale, 0.0), Ok(Nearness::Farther));
    }
    let query = Query::new(Kind::VertexFace, [DVec3::ZERO; 4], [DVec3::ZERO; 4]).expect("finite");
    assert!(matches!(first_within(&query, 0.0, 0.0), Ok(Nearness::Within { .. })));
    assert_eq!(
        first_within(&query, -1.0, 0.0),
        Err(SeparationError::NotALength { what: "distance", value: -1.0 })
    );
}
