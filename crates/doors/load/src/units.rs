//! Whether sizes smell of mixed units; nothing is scaled silently.

use crate::words;
use kontakt_math::DVec3;

/// Bodies whose sizes differ by this factor or more are probably in different units.
const FACTOR: f64 = 100.0;

/// A warning where the largest and the smallest of the bodies, given by name and size, differ too much. Points have no size
/// and do not count.
pub fn warning<'a>(sizes: impl Iterator<Item = (&'a str, DVec3)>) -> Option<String> {
    let sized: Vec<(&str, f64)> =
        sizes.map(|(name, size)| (name, size.max_element())).filter(|(_, extent)| *extent > 0.0).collect();
    let (small, least) = sized.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (large, most) = sized.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let factor = most / least;
    (factor >= FACTOR).then(|| {
        format!(
            "{large} is {} times as large as {small}: are both in the same units? Nothing is scaled.",
            words::number(factor)
        )
    })
}
