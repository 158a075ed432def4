//! Lists of convex pairs: any bytes give pairs or an error that names the text; pairs are asked about in every way.

use kontakt_convex::{ConvexQuery, PlacedShape, Verdict};
use kontakt_io::read_convex_pairs_bytes;

/// Reads the bytes and asks about the first pairs. All questions must give one verdict, and numbers must be numbers.
pub fn convex_pairs(bytes: &[u8]) {
    let pairs = match read_convex_pairs_bytes(bytes, "fuzz") {
        Err(error) => return assert!(error.to_string().starts_with("fuzz"), "{error}"),
        Ok(pairs) => pairs,
    };
    let mut asker = ConvexQuery::new();
    for pair in pairs.iter().take(4) {
        let (a, b) = (PlacedShape::new(&pair.a, pair.pose_a), PlacedShape::new(&pair.b, pair.pose_b));
        let manifold = asker.manifold(a, b, 0.0);
        let answer = manifold.answer;
        assert!(!answer.separation.lo().is_nan() && !answer.separation.hi().is_nan());
        assert!(!answer.normal.is_nan() && !answer.point_a.is_nan() && !answer.point_b.is_nan());
        assert_eq!(asker.intersect(a, b), answer.verdict);
        assert_eq!(asker.distance(b, a).verdict, answer.verdict);
        match answer.verdict {
            Verdict::Separate => assert!(answer.separation.lo() > 0.0),
            Verdict::Overlapping => assert!(answer.separation.hi() < 0.0),
            Verdict::Touching | Verdict::Undecided => {
                assert!(answer.separation.lo() <= 0.0 && answer.separation.hi() >= 0.0);
            }
        }
        assert!(manifold.contacts.iter().all(|c| c.point_a.is_finite() && c.point_b.is_finite()) || !answer.point_a.is_finite());
    }
}
