//! A polytopal core of any kind behind one type, so that the descent is compiled once.

use crate::Core;
use crate::difference::corners::{Corners, Cuboid, Few, Many};
use kontakt_math::DVec3;

/// A core's corners.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body<'a> {
    /// A point, segment or triangle.
    Few(Few<'a>),
    /// A box.
    Cuboid(Cuboid),
    /// A hull.
    Many(Many<'a>),
}

impl<'a> Body<'a> {
    /// Of a core; `None` when it is not polytopal.
    pub(crate) fn of(core: &'a Core) -> Option<Body<'a>> {
        Some(match core {
            Core::Point => Body::Few(Few(&[DVec3::ZERO])),
            Core::Segment(ends) => Body::Few(Few(ends)),
            Core::Triangle(corners) => Body::Few(Few(corners)),
            Core::Box(half) => Body::Cuboid(Cuboid(*half)),
            Core::Hull(hull) => Body::Many(Many(hull)),
            _ => return None,
        })
    }
}

/// Evaluates an expression for the kind at hand.
macro_rules! either {
    ($self:ident, $body:ident => $value:expr) => {
        match $self {
            Body::Few($body) => $value,
            Body::Cuboid($body) => $value,
            Body::Many($body) => $value,
        }
    };
}

impl Corners for Body<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        either!(self, body => body.count())
    }

    #[inline(always)]
    fn corner(&self, id: u32) -> DVec3 {
        either!(self, body => body.corner(id))
    }

    #[inline(always)]
    fn farthest(&self, direction: DVec3) -> u32 {
        either!(self, body => body.farthest(direction))
    }

    #[inline]
    fn neighbours(&self, id: u32, visit: impl FnMut(u32)) {
        either!(self, body => body.neighbours(id, visit));
    }

    #[inline]
    fn middle(&self) -> DVec3 {
        either!(self, body => body.middle())
    }

    #[inline]
    fn reach(&self) -> f64 {
        either!(self, body => body.reach())
    }
}
