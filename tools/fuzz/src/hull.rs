//! Convex hulls: all that `validate` proves, and the extreme points by brute force.

use crate::case::Case;
use crate::fit;
use kontakt_bounds::convex_hull;
use testkit::extreme_points;

/// The hull of points, and the hull as a volume.
pub fn of_points(bytes: &[u8]) {
    let case = Case::of(bytes);
    match convex_hull(&case.points) {
        Err(error) => fit::check_error(&error, &case),
        Ok(hull) => {
            assert!(case.is_finite() && !case.points.is_empty());
            hull.validate(&case.points).unwrap_or_else(|broken| panic!("{broken}: {case:?}"));
            // The oracle takes n⁴ and more with long numbers.
            let most = if (1e-6..1e6).contains(&case.farthest()) { 7 } else { 5 };
            if case.points.len() <= most {
                let plain: Vec<[f64; 3]> = case.points.iter().map(|p| p.to_array()).collect();
                let (extreme, dimension) = extreme_points(&plain);
                assert_eq!(hull.dimension(), dimension, "{case:?}");
                let found: Vec<usize> = hull.vertices().iter().map(|&v| v as usize).collect();
                assert_eq!(found, extreme, "{case:?}");
            }
        }
    }
    fit::named("hull", bytes);
}
