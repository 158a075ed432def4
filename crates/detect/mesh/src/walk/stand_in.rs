//! Plain double-precision face tests, until the exact ones arrive: not certified.

use kontakt_math::DVec3;

pub(crate) fn distance(p: [DVec3; 3], q: [DVec3; 3]) -> (f64, [DVec3; 2]) {
    let mut best = (f64::INFINITY, [p[0], q[0]]);
    let mut take = |x: DVec3, y: DVec3| {
        let d = x.distance(y);
        if d < best.0 {
            best = (d, [x, y]);
        }
    };
    for k in 0..3 {
        for l in 0..3 {
            let [x, y] = between_segments([p[k], p[(k + 1) % 3]], [q[l], q[(l + 1) % 3]]);
            take(x, y);
        }
        take(p[k], foot(p[k], q));
        take(foot(q[k], p), q[k]);
        if let Some(x) = pierce([p[k], p[(k + 1) % 3]], q) {
            take(x, x);
        }
        if let Some(x) = pierce([q[k], q[(k + 1) % 3]], p) {
            take(x, x);
        }
    }
    best
}

fn between_segments(p: [DVec3; 2], q: [DVec3; 2]) -> [DVec3; 2] {
    let (d, e, r) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (a, c, f, b, g) = (d.length_squared(), d.dot(r), e.dot(r), d.dot(e), e.length_squared());
    let det = a * g - b * b;
    let mut s = if det > 0.0 { ((b * f - c * g) / det).clamp(0.0, 1.0) } else { 0.0 };
    let t = if g > 0.0 { ((b * s + f) / g).clamp(0.0, 1.0) } else { 0.0 };
    if a > 0.0 {
        s = ((b * t - c) / a).clamp(0.0, 1.0);
    }
    [p[0] + d * s, q[0] + e * t]
}

/// The foot of the perpendicular where it is inside, else a corner.
fn foot(x: DVec3, t: [DVec3; 3]) -> DVec3 {
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let square = n.length_squared();
    if square == 0.0 {
        return t[0];
    }
    let y = x - n * ((x - t[0]).dot(n) / square);
    let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(y - t[k]).dot(n) >= 0.0);
    if inside { y } else { t[0] }
}

fn pierce(s: [DVec3; 2], t: [DVec3; 3]) -> Option<DVec3> {
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let (from, to) = ((s[0] - t[0]).dot(n), (s[1] - t[0]).dot(n));
    if from * to > 0.0 || from == to {
        return None;
    }
    let x = s[0].lerp(s[1], from / (from - to));
    (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(x - t[k]).dot(n) >= 0.0).then_some(x)
}
