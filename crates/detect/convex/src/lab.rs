//! Methods to compare with: they return their own verdict, count their failures, and always end.

pub mod every_axis;
