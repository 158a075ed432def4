//! What the thesis on curved bodies measured, measured again: its Table 2.1, inversion by each of its operators, and its Tables 3.1 to 3.3, the
//! smallest ball and box of its scenes by local search.

pub mod compare;
pub mod inversion;
pub mod local;
pub mod midpoint;
pub mod scenes;
pub mod surfaces;
pub mod volumes;

pub use compare::{CompareError, Compared, Effort, compare};
pub use inversion::{Measured, Row, table};
pub use scenes::{Scene, SceneError, scenes};
pub use volumes::Way;
