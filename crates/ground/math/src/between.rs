//! The map from B's frame to A's for two poses: rounded with a certified error, exact when asked.

use crate::exact_map::{ExactMap, Homogeneous, Units};
use crate::exact_number::{Exact, Wide};
use crate::expansion::two_sum;
use crate::round::U;
use crate::turn_matrix::{quarter_turns, rotation_matrix, turns_by_quarters};
use crate::{Chain, DMat3, DQuat, DVec3, Dyadic, Pose};
use std::sync::OnceLock;

/// From the frame of body B to that of body A. Made once a query (tens of nanoseconds); exact numbers are made when
/// first needed.
///
/// With quaternions a, b as given and translations s, t of the two poses, the exact map is
/// x ↦ R(p/|p|)·x + R(a/|a|)ᵀ(t − s), where p is the conjugate of a times b.
#[derive(Clone, Debug)]
pub struct Between {
    rounded: Rounded,
    poses: [Pose; 2],
    exact: OnceLock<Box<ExactMap>>,
    /// Where a frame is given by more than one pose.
    chains: Option<Box<[Chain; 2]>>,
}

/// The map in doubles.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    turn: DMat3,
    shift: DVec3,
    /// Error of a placed point: `turn_error`·|x|₁ + `shift_error`, unless `square`.
    turn_error: f64,
    shift_error: f64,
    /// Turn (a signed permutation of axes) and shift are exact: only the last addition may round.
    square: bool,
}

impl Between {
    /// The map between two poses.
    #[inline]
    pub fn new(pose_a: Pose, pose_b: Pose) -> Between {
        let rounded = Rounded::new(&pose_a, &pose_b);
        Between { rounded, poses: [pose_a, pose_b], exact: OnceLock::new(), chains: None }
    }

    /// The map between two frames, each given by poses one after another; `poses` are then the composed ones.
    ///
    /// Why the error is never too small. With exact maps (R, s) and (Q, t) of A's and B's chain and composed ones off by ρ, κ
    /// in the turns and σ, τ in the shifts, `RᵀQ` is off by ρ + κ and Rᵀ(t − s) by ρ|t − s| + σ + τ, to first order; the
    /// factor covers the rest, since ρ and κ are far below 1e-6 for chains of any length that fits into memory.
    pub fn of_chains(a: &Chain, b: &Chain) -> Between {
        let between = Between::new(*a.composed(), *b.composed());
        if a.is_exact() && b.is_exact() {
            return between;
        }
        let more = 1.0 + 1e-5;
        let offset = (b.composed().translation() - a.composed().translation()).abs().element_sum();
        let shifts = a.shift_error() + b.shift_error() + a.turn_error() * offset;
        let rounded = Rounded {
            turn_error: (between.rounded.turn_error + a.turn_error() + b.turn_error()) * more,
            shift_error: (between.rounded.shift_error + shifts) * more + f64::MIN_POSITIVE,
            square: false,
            ..between.rounded
        };
        Between { rounded, chains: Some(Box::new([a.clone(), b.clone()])), ..between }
    }

    /// The map the other way, from A's frame to B's; as exact as this one.
    #[must_use]
    pub fn swapped(&self) -> Between {
        match self.chains.as_deref() {
            None => Between::new(self.poses[1], self.poses[0]),
            Some([a, b]) => Between::of_chains(b, a),
        }
    }

    /// The rotation A from B, rounded.
    #[inline]
    pub fn turn(&self) -> DMat3 {
        self.rounded.turn
    }

    /// Where B's origin lies in A's frame, rounded.
    #[inline]
    pub fn shift(&self) -> DVec3 {
        self.rounded.shift
    }

    /// **Never less** than |turn·x − exact turn·x|/|x|, roundings of the product included.
    #[inline]
    pub fn turn_error(&self) -> f64 {
        self.rounded.turn_error
    }

    /// Whether turn and shift are exact, and the turn takes axes to axes.
    #[inline]
    pub fn is_square(&self) -> bool {
        self.rounded.square
    }

    /// World from A and world from B.
    #[inline]
    pub fn poses(&self) -> &[Pose; 2] {
        &self.poses
    }

    /// A point of B in A's frame, rounded; see [`error_at`](Self::error_at).
    #[inline]
    pub fn b_in_a(&self, x: DVec3) -> DVec3 {
        self.rounded.turn * x + self.rounded.shift
    }

    /// **Never too small**: at least the distance of `b_in_a(x)` from the exact image of x in A's frame. 0 when it is exact;
    /// infinite or NaN where something overflows.
    #[inline]
    pub fn error_at(&self, x: DVec3) -> f64 {
        if self.rounded.square {
            let turned = self.rounded.turn * x;
            let rest = |i: usize| two_sum(turned[i], self.rounded.shift[i]).1.abs();
            // Exact errors, a sum of three of them: 4u relative. NaN where the sum overflows.
            (rest(0) + rest(1) + rest(2)) * (1.0 + 8.0 * U)
        } else {
            x.abs().element_sum() * self.rounded.turn_error + self.rounded.shift_error
        }
    }

    /// **Never too small**: a bound of [`error_at`](Self::error_at) for all points x with |x|₁ ≤ `farthest`.
    #[inline]
    pub fn error_within(&self, farthest: f64) -> f64 {
        farthest * self.rounded.turn_error.max(2.0 * U) + self.rounded.shift_error
    }

    /// The exact place of a point of B in A's frame.
    pub fn exact_b(&self, x: DVec3) -> Homogeneous {
        self.exact().apply(x)
    }

    /// The exact map x ↦ (rows·x + shift)/weight, where rows/weight is a rotation and the weight is positive.
    pub fn exact(&self) -> &ExactMap {
        let made = || match self.chains.as_deref() {
            None => Box::new(ExactMap::new(&self.poses)),
            Some([a, b]) => Box::new(ExactMap::between_chains(a, b)),
        };
        self.exact.get_or_init(made)
    }

    /// Puts a question about the exact map and some lengths in the shortest numbers that hold its answer: numbers of few bits, as
    /// people type them, take a tenth of the time of numbers of any size.
    pub fn exactly<const L: usize, Q: ExactQuestion<L>>(&self, lengths: [f64; L], question: Q) -> Q::Answer {
        if self.chains.is_none() {
            let units = Units::of(&self.poses, &lengths);
            if units.bits < i128::BITS {
                return question.put(&self.in_units(&units), in_units::<i128, L>(lengths, &units));
            }
            if units.bits <= Short::BITS {
                return question.put(&self.in_units(&units), in_units::<Short, L>(lengths, &units));
            }
            if units.bits <= Long::BITS {
                return question.put(&self.in_units(&units), in_units::<Long, L>(lengths, &units));
            }
        }
        question.put(self.exact(), lengths.map(|x| Dyadic::in_units(x, 0)))
    }

    fn in_units<N: Exact>(&self, units: &Units) -> ExactMap<N> {
        ExactMap::in_units(&self.poses, units)
    }
}

/// Of one turn by any angle, with all bits of its numbers in use.
type Short = Wide<7>;
/// Of two such turns.
type Long = Wide<12>;

fn in_units<N: Exact, const L: usize>(lengths: [f64; L], units: &Units) -> [N; L] {
    lengths.map(|x| N::in_units(x, units.of_lengths))
}

/// A question for [`Between::exactly`]: about signs and quotients of sums of up to four products of two entries of the map and one length,
/// of which the entries of the shift have one.
pub trait ExactQuestion<const L: usize> {
    /// What comes out.
    type Answer;

    /// Answers. The map's shift and the lengths may be multiplied by a common power of two.
    fn put<N: Exact>(self, map: &ExactMap<N>, lengths: [N; L]) -> Self::Answer;
}

impl Rounded {
    /// Of two poses.
    ///
    /// Why the error is never too small (first order in u; the slack covers higher orders and the rounding of the
    /// bound). The components of p are sums of four products: each errs by 4u|p|, so p by 8u|p|, which turns R by at most
    /// 16u. R from p: |p|² errs by 4u relative, 2/|p|² by 5u; entries on the diagonal by 17u, others by 8u, together (root
    /// of the sum of squares) 36u. So |δR| ≤ 52u; the product R·x errs by 3u·‖|R|‖·|x| ≤ 5.2u|x| more and
    /// the last sum by u(|x| + |t|): 59u|x|, here 64u. The shift d = t − s errs by u, its turn by 36u + 5.2u and
    /// the last sum by u: 44u|d|, here 48u. Norms |·|₁ are never less than |·|₂. All underflows (below 30 products off by
    /// 2⁻¹⁰⁷⁵) fit into the smallest normal double. What overflows makes coordinates or bound infinite or NaN.
    #[inline]
    fn new(pose_a: &Pose, pose_b: &Pose) -> Rounded {
        let (q_a, q_b) = (pose_a.given_rotation(), pose_b.given_rotation());
        let offset = pose_b.translation() - pose_a.translation();
        let shift_error = offset.abs().element_sum() * (48.0 * U) + f64::MIN_POSITIVE;
        if q_a == q_b || q_a == -q_b || (turns_by_quarters(q_a) && turns_by_quarters(q_b)) {
            return Rounded::straight(pose_a, pose_b, shift_error);
        }
        Rounded {
            turn: rotation_matrix(back_and_forth(q_a, q_b)),
            shift: rotation_matrix(q_a).transpose_mul_vec3(offset),
            turn_error: 64.0 * U,
            shift_error,
            square: false,
        }
    }

    /// Of poses that turn alike or by quarters of a turn, where less is rounded.
    #[cold]
    fn straight(pose_a: &Pose, pose_b: &Pose, shift_error: f64) -> Rounded {
        let (q_a, q_b) = (pose_a.given_rotation(), pose_b.given_rotation());
        let offset = pose_b.translation() - pose_a.translation();
        if let Some(axes_a) = quarter_turns(q_a)
            && let Some(axes_b) = quarter_turns(q_b)
        {
            let back = axes_a.transpose();
            // Entries are 0 and ±1: products and sums round nothing.
            let square = is_exact_difference(pose_b.translation(), pose_a.translation());
            let (turn, shift) = (back * axes_b, back * offset);
            // Only the difference of the translations and the last sum round: by u|d| and u(|x| + |d|).
            let shift_error = offset.abs().element_sum() * (4.0 * U) + f64::MIN_POSITIVE;
            return Rounded { turn, shift, turn_error: 2.0 * U, shift_error, square };
        }
        let turn = DMat3::IDENTITY;
        if offset == DVec3::ZERO {
            return Rounded { turn, shift: offset, turn_error: 0.0, shift_error: 0.0, square: true };
        }
        // Only the last sum rounds x: by u(|x| + |t|).
        let shift = rotation_matrix(q_a).transpose() * offset;
        Rounded { turn, shift, turn_error: 2.0 * U, shift_error, square: false }
    }
}

/// Conjugate of `a` times `b`, each component off by at most 4u|a||b|.
#[inline]
fn back_and_forth(a: DQuat, b: DQuat) -> DQuat {
    DQuat::from_xyzw(
        a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
        a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
        a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w,
        a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z,
    )
}

/// Whether `a − b` is a double in every component.
fn is_exact_difference(a: DVec3, b: DVec3) -> bool {
    (0..3).all(|i| two_sum(a[i], -b[i]).1 == 0.0)
}
