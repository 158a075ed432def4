//! Roots of a cubic by Cardano's formula, of a quadratic and of a line by theirs, in plain doubles.

/// Real roots, increasing; coefficients lowest power first. Polynomials that are zero have none here.
pub(super) fn roots([d, c, b, a]: [f64; 4]) -> Vec<f64> {
    let mut roots = if a != 0.0 {
        cardano(b / a, c / a, d / a)
    } else if b != 0.0 {
        quadratic(c / b, d / b)
    } else if c != 0.0 {
        vec![-d / c]
    } else {
        Vec::new()
    };
    roots.retain(|t| t.is_finite());
    roots.sort_by(f64::total_cmp);
    roots
}

/// t² + pt + q
fn quadratic(p: f64, q: f64) -> Vec<f64> {
    let half = -0.5 * p;
    let discriminant = half * half - q;
    if discriminant < 0.0 {
        return Vec::new();
    }
    let root = discriminant.sqrt();
    let far = if half >= 0.0 { half + root } else { half - root };
    if far == 0.0 { vec![0.0] } else { vec![far, q / far] }
}

/// t³ + bt² + ct + d by t = y − b/3: y³ + 3py + 2q.
fn cardano(b: f64, c: f64, d: f64) -> Vec<f64> {
    let shift = b / 3.0;
    let p = c / 3.0 - shift * shift;
    let q = shift * shift * shift - 0.5 * shift * c + 0.5 * d;
    let discriminant = q * q + p * p * p;
    if discriminant >= 0.0 {
        let root = discriminant.sqrt();
        let (u, v) = ((-q + root).cbrt(), (-q - root).cbrt());
        let mut roots = vec![u + v - shift];
        if discriminant == 0.0 {
            roots.push(-0.5 * (u + v) - shift);
        }
        return roots;
    }
    let radius = (-p).sqrt();
    let angle = (-q / (radius * radius * radius)).clamp(-1.0, 1.0).acos();
    let third = std::f64::consts::TAU / 3.0;
    [0.0, 1.0, 2.0].map(|k| 2.0 * radius * (angle / 3.0 - k * third).cos() - shift).to_vec()
}
