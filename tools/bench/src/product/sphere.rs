//! Smallest enclosing sphere.

use kontakt::bounds::min_ball::min_ball;
use kontakt::math::DVec3;

/// Centre and radius.
pub(crate) fn smallest(points: &[DVec3]) -> Result<([f64; 3], f64), String> {
    let ball = min_ball(points).map_err(|error| error.to_string())?;
    Ok((ball.sphere.centre.to_array(), ball.sphere.radius))
}
