//! Files made ready to be asked about, for every door alike: which bodies are meant (`FILE:NAME`), curved ones tessellated, hierarchies
//! built, a name of its own for each, and scene files as worlds with their motions.

pub mod address;
pub mod before;
pub mod error;
pub mod follow;
pub mod load;
pub mod model;
pub mod options;
pub mod parts;
pub mod ready;
pub mod remarks;
pub mod scene;
pub mod units;
pub mod warned;
pub mod words;

pub use address::Address;
pub use before::Before;
pub use error::LoadError;
pub use follow::Followed;
pub use load::{Meant, One, load};
pub use model::ModelBody;
pub use options::LoadOptions;
pub use parts::Parts;
pub use ready::{FaceName, Ready, Whole};
pub use remarks::{About, Remarks, Tessellated};
pub use scene::SceneInput;
