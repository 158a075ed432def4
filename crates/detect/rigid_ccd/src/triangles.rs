//! Two triangles during a span of time: until when a direction keeps them apart, and proofs that they meet.

use kontakt_math::{DVec3, Sign, U, predicates};

/// A triangle of A, at rest in A's frame, and one of B at the two ends of a span, all relative to a corner of A's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) a: [DVec3; 3],
    pub(crate) b: [[DVec3; 3]; 2],
    /// **Never too small**: how far B's corners may be from their exact places, at either end.
    pub(crate) errors: [f64; 2],
    /// **Never too small**: acceleration times the span squared: how much the corners' ways bend.
    pub(crate) bend: f64,
    /// **Never too small**: how far corners may be off their straight ways beside that.
    pub(crate) blur: f64,
    /// At least every coordinate.
    size: f64,
}

/// What is left of a span, as shares of it, after cutting off both ends where the triangles are proven apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Ends {
    /// From corners in A's frame.
    pub(crate) fn new(a: [DVec3; 3], b: [[DVec3; 3]; 2], errors: [f64; 2], [bend, blur]: [f64; 2]) -> Ends {
        let origin = a[0];
        let a = a.map(|x| x - origin);
        let b = b.map(|corners| corners.map(|x| x - origin));
        let size = a.iter().chain(b.as_flattened()).fold(DVec3::ZERO, |size, x| size.max(x.abs()));
        Ends { a, b, errors, bend, blur, size: size.max_element() }
    }

    /// How much of the span's beginning and of its end is **proven free** because the plane across `axis` (any vector, fixed
    /// in A's frame) keeps the triangles apart.
    ///
    /// Proof. Let f be the height of a corner of B above the highest corner of A along n. At the ends it is known but for
    /// rounding: differences with the origin u·S a coordinate (S = size), dot products 3u·S|n|₁, twice, and the last difference
    /// 2u·S|n|₁, together below 16u·S|n|₁; and for the corner's own error. In between, at the share λ, f is at least
    /// (1−λ)f₀ + λf₁ − λ(1−λ)·q with q = |n|·max|x″|·span²/2 (the error of linear interpolation). As long as this is
    /// positive for all corners of B, the plane is between the triangles. The same with n reversed.
    pub(crate) fn kept_apart(&self, axis: DVec3) -> [f64; 2] {
        let size_of_axis = axis.abs().element_sum();
        let length = norm_up(axis);
        let rounding = 16.0 * U * self.size * size_of_axis;
        let pads = self.errors.map(|error| rounding + (error + self.blur) * length + f64::MIN_POSITIVE);
        let q = 0.5 * self.bend * length * (1.0 + 16.0 * f64::EPSILON);
        let heights = self.a.map(|x| axis.dot(x));
        let top = heights[0].max(heights[1]).max(heights[2]);
        let bottom = heights[0].min(heights[1]).min(heights[2]);
        let b = self.b.map(|corners| corners.map(|x| axis.dot(x)));
        let mut free = [0.0_f64; 2];
        for above in [true, false] {
            let gap =
                |end: usize, height: f64| (if above { height - top } else { bottom - height }) - pads[end];
            // Where the nearest corner is not beyond the plane at an end, nothing is free there: rounded differences are monotone.
            for (end, free) in free.iter_mut().enumerate() {
                let [x, y, z] = b[end];
                let nearest = if above { x.min(y).min(z) } else { x.max(y).max(z) };
                if gap(end, nearest) > 0.0 {
                    let share = |corner: usize| {
                        positive_until(gap(end, b[end][corner]), gap(1 - end, b[1 - end][corner]), q)
                    };
                    *free = free.max(share(0).min(share(1)).min(share(2)).min(1.0));
                }
            }
        }
        free
    }

    /// Cuts off the ends of the span that a direction proves free. NaN cuts nothing.
    pub(crate) fn cut(&self, rest: &mut Rest, axis: DVec3) {
        let [before, after] = self.kept_apart(axis);
        rest.from = rest.from.max(before);
        rest.to = rest.to.min(1.0 - after);
    }

    /// The directions that may keep two triangles apart: both normals and the products of all edges, at the beginning.
    pub(crate) fn axes(&self) -> [DVec3; 11] {
        let edges = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
        let (e, f) = (edges(&self.a), edges(&self.b[0]));
        let mut axes = [DVec3::ZERO; 11];
        axes[0] = e[0].cross(e[1]);
        axes[1] = f[0].cross(f[1]);
        for i in 0..3 {
            for j in 0..3 {
                axes[2 + 3 * i + j] = e[i].cross(f[j]);
            }
        }
        axes
    }

    /// Whether the triangles are **proven** to meet at one end of the span: an edge of one passes through the other.
    pub(crate) fn meet_at(&self, end: usize) -> bool {
        let (a, b, error) = (&self.a, &self.b[end], self.errors[end] + 2.0 * U * self.size);
        // Whether an edge of `one` passes through `other`; none does if all corners are on one side of its plane.
        let through = |one: &[DVec3; 3], other: &[DVec3; 3]| {
            let [p, q, r] = other;
            let sides = one.map(|x| certain_side(*p, *q, *r, x, error));
            (0..3).any(|i| {
                let next = (i + 1) % 3;
                sides[i] * sides[next] == -1 && line_passes([one[i], one[next]], other, error)
            })
        };
        through(a, b) || through(b, a)
    }

    /// Whether a corner of B is **proven** to go through A's triangle during the span.
    pub(crate) fn goes_through(&self) -> bool {
        (0..3).any(|corner| {
            let way = [self.b[0][corner], self.b[1][corner]];
            passes(&self.a, way, self.errors, 0.125 * self.bend + self.blur, self.size)
        })
    }
}

/// **Never less** than the length of a vector, also where its square leaves the doubles: then the sum of its coordinates' sizes.
pub(crate) fn norm_up(v: DVec3) -> f64 {
    let square = v.length_squared();
    if (1e-280..1e280).contains(&square) {
        square.sqrt() * (1.0 + 4.0 * f64::EPSILON)
    } else {
        v.abs().element_sum() * (1.0 + 4.0 * f64::EPSILON)
    }
}

/// Up to which share λ ≤ 1 the function (1−λ)f₀ + λf₁ − λ(1−λ)q, q ≥ 0, is certainly positive; 0 if not even at the beginning.
///
/// Written f₀ + bλ + qλ² with b = f₁ − f₀ − q, rounded down by more than its error; a smaller b makes the function smaller.
/// The lesser root is 2f₀/(−b + √(b² − 4qf₀)), for b < 0 without cancellation; the discriminant is rounded up, which makes the
/// root smaller, and the factor covers the remaining roundings.
pub(crate) fn positive_until(f0: f64, f1: f64, q: f64) -> f64 {
    // Also for NaN and infinite q.
    if !(f0 > 0.0 && q < f64::INFINITY && f1.is_finite()) {
        return 0.0;
    }
    let b = (f1 - f0 - q) - 8.0 * U * (f0 + f1.abs() + q);
    if b >= 0.0 {
        return 1.0;
    }
    let (square, product) = (b * b, 4.0 * q * f0);
    let discriminant = (square - product) + 8.0 * U * (square + product);
    if discriminant < 0.0 {
        return 1.0;
    }
    let root = 2.0 * f0 / (discriminant.sqrt() - b);
    if root.is_nan() { 0.0 } else { (root * (1.0 - 1e-14)).min(1.0) }
}

/// Sign of (p−s)·((q−s)×(r−s)) if it is certain for points that are off by at most `error`: +1, −1, else 0.
pub(crate) fn certain_side(p: DVec3, q: DVec3, r: DVec3, s: DVec3, error: f64) -> i32 {
    match predicates::certain_side(p, q, r, s, error) {
        Some(Sign::Positive) => 1,
        Some(Sign::Negative) => -1,
        _ => 0,
    }
}

/// Whether a line certainly passes all edges of a triangle on the same side: a segment of it whose ends lie on different sides of
/// the plane passes through the triangle.
fn line_passes([p, q]: [DVec3; 2], t: &[DVec3; 3], error: f64) -> bool {
    let first = certain_side(p, q, t[0], t[1], error);
    first != 0
        && certain_side(p, q, t[1], t[2], error) == first
        && certain_side(p, q, t[2], t[0], error) == first
}

/// Whether a point certainly goes through a triangle at rest: it starts on one side of the plane and ends on the other, so that it
/// is *in the plane* at some time (its way is continuous), and all the time is beyond every edge in a direction wᵢ that leads inward.
///
/// Heights along a direction err as in `kept_apart`; between the ends they differ by at most |w|·`bow` from linear.
///
/// Why a point x of the plane with wᵢ·x > max(wᵢ·tᵢ, wᵢ·tᵢ₊₁) for i = 0, 1, 2 is in the triangle, whatever rounding did to wᵢ: write
/// gᵢ for the height of tᵢ₊₂ above that maximum and τᵢ = |wᵢ·(tᵢ₊₁ − tᵢ)|; it is checked that gᵢ > 2τᵢ. If only
/// one barycentric coordinate of x is negative, that of tᵢ₊₂, then wᵢ·x is below the maximum. If two are, x = t₁ + α(t₁−t₀) +
/// β(t₁−t₂) with α, β ≥ 0 (or the same at another corner): beyond edge 0 means ατ₀ > βg₀, so α > 2β; beyond edge 1 likewise
/// β > 2α: not both.
fn passes(t: &[DVec3; 3], way: [DVec3; 2], errors: [f64; 2], bow: f64, size: f64) -> bool {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
    let doubt = |n: DVec3, end: usize| {
        16.0 * U * size * n.abs().element_sum() + errors[end] * norm_up(n) + f64::MIN_POSITIVE
    };
    let side = |end: usize| {
        let height = normal.dot(way[end] - t[0]);
        i32::from(height > doubt(normal, end)) - i32::from(-height > doubt(normal, end))
    };
    let first = side(0);
    if first == 0 || side(1) != -first {
        return false;
    }
    (0..3).all(|i| {
        let inward = normal.cross(t[(i + 1) % 3] - t[i]);
        let bow = bow * norm_up(inward) * (1.0 + 1e-9);
        let [first, second, third] = [i, (i + 1) % 3, (i + 2) % 3].map(|corner| inward.dot(t[corner]));
        let (edge, noise) = (first.max(second), doubt(inward, 0));
        third - edge - noise > 2.0 * ((second - first).abs() + noise)
            && (0..2).all(|end| inward.dot(way[end]) - edge > doubt(inward, end) + bow)
    })
}
