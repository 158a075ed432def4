//! Smallest boxes: each method holds the points, and none is smaller than what another proved to be the least.

use crate::case::Case;
use crate::exact::{holds, point};
use crate::fit;
use kontakt_bounds::{AnyVolume, BoxMethod, BoxRequest, SmallestBox, smallest_box};
use std::time::Duration;

/// The quick fit of the list, the method in question, and its proof against another method.
pub fn of_points(bytes: &[u8]) {
    fit::named("obb", bytes);
    let mut case = Case::of(bytes);
    case.points.truncate(12);
    let method = BoxMethod::ALL[usize::from(case.choice) % BoxMethod::ALL.len()];
    let proving = if case.choice % 2 == 0 { BoxMethod::Fast } else { BoxMethod::Exact };
    let (Some(proven), Some(other)) = (find(&case, proving), find(&case, method)) else { return };
    if let Ok(gap) = proven.gap {
        let least = (1.0 - gap) * proven.value * (1.0 - 1e-12);
        assert!(other.value >= least, "{other:?} is smaller than {proven:?} allows: {case:?}");
    }
}

fn find(case: &Case, method: BoxMethod) -> Option<SmallestBox> {
    let request = BoxRequest {
        objective: fit::objective(case.choice >> 4),
        method,
        target_gap: 1e-3,
        time_limit: Some(Duration::from_secs(1)),
        certify: false,
    };
    match smallest_box(&case.points, &request) {
        Err(error) => {
            fit::check_error(&error, case);
            None
        }
        Ok(found) => {
            assert!(found.value >= 0.0, "{found:?} of {case:?}");
            if let Ok(gap) = found.gap {
                assert!((0.0..=1.0).contains(&gap), "{found:?} of {case:?}");
            }
            let volume = AnyVolume::from(found.obb);
            for p in &case.points {
                assert!(volume.contains(*p), "{found:?} denies {p}: {case:?}");
                assert!(holds(&volume, &point(*p)) != Some(false), "{found:?} loses {p}: {case:?}");
            }
            Some(found)
        }
    }
}
