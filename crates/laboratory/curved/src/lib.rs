//! What the thesis on curved bodies measured, measured again: its Table 2.1, inversion by each of its operators.

pub mod inversion;
pub mod surfaces;

pub use inversion::{Measured, Row, table};
