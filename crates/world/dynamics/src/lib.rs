//! Dynamics: contacts in, next motions out.
//!
//! [`rigid`] moves piles of rigid bodies in steps of time; gases are moved by `world/event_driven` from contact to contact.

pub mod rigid;
