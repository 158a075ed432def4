//! Poses one after another: one exact map, and one rounded pose whose deviation from it is certified.

use crate::expansion::two_sum;
use crate::round::{U, add_up, mul_up};
use crate::turn_matrix::quarter_turns;
use crate::{DMat3, DQuat, DVec3, Pose};
use std::sync::Arc;

/// Several poses as one map x ↦ P₁(P₂(…x)), outermost first. Poses that combine without rounding are combined; the others are
/// kept as given, so that exact arithmetic can follow all of them. Chains share their inner links.
#[derive(Clone, Debug)]
pub struct Chain {
    links: Arc<Link>,
    composed: Pose,
    turn_error: f64,
    shift_error: f64,
}

/// A pose and those inside of it.
#[derive(Debug)]
struct Link {
    pose: Pose,
    inner: Option<Arc<Link>>,
}

/// Link by link: chains may be long, and dropping must not recurse.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.inner.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.inner.take();
        }
    }
}

impl Chain {
    /// One pose, exact.
    pub fn new(pose: Pose) -> Chain {
        let links = Arc::new(Link { pose, inner: None });
        Chain { links, composed: pose, turn_error: 0.0, shift_error: 0.0 }
    }

    /// The chain as seen from outside of `outer`: x ↦ outer(self(x)).
    ///
    /// Why the deviation is never too small (first order in u). The rounded unit quaternions of both maps turn by 2u more
    /// or less each, their product errs by 8u, which turns by 16u, normalising by 2u: 22u, here 24u. The place of
    /// the origin errs by what `Pose::apply` errs; its former error is only turned.
    #[must_use]
    pub fn within(&self, outer: Pose) -> Chain {
        if let Some(pose) = exact_product(&outer, &self.links.pose) {
            let links = Arc::new(Link { pose, inner: self.links.inner.clone() });
            if links.inner.is_none() {
                return Chain { links, composed: pose, turn_error: 0.0, shift_error: 0.0 };
            }
            return self.deviating(links, &outer);
        }
        let links = Arc::new(Link { pose: outer, inner: Some(Arc::clone(&self.links)) });
        self.deviating(links, &outer)
    }

    fn deviating(&self, links: Arc<Link>, outer: &Pose) -> Chain {
        let at = self.composed.translation();
        Chain {
            links,
            composed: outer.then_from(&self.composed),
            turn_error: add_up(self.turn_error, 24.0 * U),
            shift_error: add_up(self.shift_error, outer.apply_error(at)),
        }
    }

    /// All poses as one, rounded. Not finite where places overflow.
    pub fn composed(&self) -> &Pose {
        &self.composed
    }

    /// Whether [`composed`](Self::composed) is the exact map.
    pub fn is_exact(&self) -> bool {
        self.links.inner.is_none()
    }

    /// **Never too small**: how much, in radians, the exact map may be turned against the composed pose.
    pub fn turn_error(&self) -> f64 {
        self.turn_error
    }

    /// **Never too small**: how far the exact place of the origin may be from that by the composed pose.
    pub fn shift_error(&self) -> f64 {
        self.shift_error
    }

    /// **Never too small**: how far the exact image of a point x with |x| ≤ `farthest` may be from its exact image under the
    /// composed pose.
    pub fn deviation(&self, farthest: f64) -> f64 {
        add_up(mul_up(self.turn_error, farthest), self.shift_error)
    }

    /// The poses as given, or combined where that rounds nothing, outermost first.
    pub fn poses(&self) -> impl Iterator<Item = &Pose> {
        std::iter::successors(Some(&*self.links), |link| link.inner.as_deref()).map(|link| &link.pose)
    }
}

/// The product of two poses where no rounding enters it.
fn exact_product(outer: &Pose, inner: &Pose) -> Option<Pose> {
    let (q_outer, q_inner) = (outer.given_rotation(), inner.given_rotation());
    let turn_inner = quarter_turns(q_inner);
    if turn_inner == Some(DMat3::IDENTITY) && inner.translation() == DVec3::ZERO {
        return Some(*outer);
    }
    let turn = quarter_turns(q_outer)?;
    let turned = turn * inner.translation();
    let sum = |i: usize| two_sum(turned[i], outer.translation()[i]);
    let place = DVec3::new(sum(0).0, sum(1).0, sum(2).0);
    if !place.is_finite() || (0..3).any(|i| sum(i).1 != 0.0) {
        return None;
    }
    let rotation = if turn == DMat3::IDENTITY {
        q_inner
    } else {
        turn_inner?;
        square_product(q_outer, q_inner)
    };
    Pose::new(rotation, place).ok()
}

/// The product of two rotations that take axes to axes. Components of such are 0 or one size ±c; scaled to 0 and ±1 their
/// products and sums are small integers.
fn square_product(outer: DQuat, inner: DQuat) -> DQuat {
    let signs = |q: DQuat| {
        let size = q.to_array().into_iter().fold(0.0, |size: f64, c| size.max(c.abs()));
        DQuat::from_array(q.to_array().map(|c| if c == 0.0 { 0.0 } else { c / size }))
    };
    let (a, b) = (signs(outer), signs(inner));
    let product = signs(DQuat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    ));
    let used: f64 = product.to_array().into_iter().map(f64::abs).sum();
    // Equal components keep the direction exact whatever their common size is rounded to.
    let size = used.sqrt().recip();
    DQuat::from_array(product.to_array().map(|c| c * size))
}
