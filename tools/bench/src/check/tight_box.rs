//! The box along given axes: what a contender's directions are worth, computed the same way for everybody.

/// Volume of the tightest box of the points along the axes, made orthonormal first.
///
/// Peers report volumes of boxes whose axes may be skew (`Open3D` works in single precision), whose corners are
/// rounded, or that leave points out; this number is comparable. None if the axes span no space.
pub(crate) fn volume_along(axes: [[f64; 3]; 3], points: &[[f64; 3]]) -> Option<f64> {
    let axes = orthonormal(axes)?;
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    let origin = *points.first()?;
    for p in points {
        let offset = minus(*p, origin);
        for i in 0..3 {
            let along = dot(axes[i], offset);
            low[i] = low[i].min(along);
            high[i] = high[i].max(along);
        }
    }
    Some((0..3).map(|i| high[i] - low[i]).product())
}

/// How far the axes, made unit, are from orthogonal: the largest dot product of two.
pub(crate) fn skewness(axes: [[f64; 3]; 3]) -> f64 {
    let unit = axes.map(|a| unit(a).unwrap_or_default());
    [(0, 1), (1, 2), (2, 0)].into_iter().map(|(i, j)| dot(unit[i], unit[j]).abs()).fold(0.0, f64::max)
}

/// Gram and Schmidt's orthonormal axes, twice for full precision.
fn orthonormal(axes: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let mut axes = axes;
    for _ in 0..2 {
        axes[0] = unit(axes[0])?;
        axes[1] = unit(without(axes[1], axes[0]))?;
        axes[2] = unit(without(without(axes[2], axes[0]), axes[1]))?;
    }
    Some(axes)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// `a` without its part along the unit vector `b`.
fn without(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let along = dot(a, b);
    std::array::from_fn(|i| a[i] - along * b[i])
}

fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

#[cfg(test)]
mod tests {
    use super::{skewness, volume_along};

    #[test]
    fn volume_of_a_turned_box() {
        let (c, s) = (0.6, 0.8);
        let axes = [[2.0 * c, 2.0 * s, 0.0], [-s, c, 0.0], [0.0, 0.0, 5.0]];
        let corner = |x: f64, y: f64, z: f64| [c * x - s * y, s * x + c * y, z];
        let points = [corner(0.0, 0.0, 0.0), corner(2.0, 0.0, 1.0), corner(0.0, 3.0, 4.0)];
        assert!((volume_along(axes, &points).unwrap() - 24.0).abs() < 1e-13);
        assert!(skewness(axes) < 1e-15);
        assert!(volume_along([[0.0; 3]; 3], &points).is_none());
    }
}
