#![doc = include_str!("../../README.md")]

pub mod prelude;

pub use kontakt_answers as answers;
pub use kontakt_bounds as bounds;
pub use kontakt_broad as broad;
pub use kontakt_convex as convex;
pub use kontakt_curved as curved;
pub use kontakt_distributed as distributed;
pub use kontakt_drag as drag;
pub use kontakt_dynamics as dynamics;
pub use kontakt_event_driven as event_driven;
pub use kontakt_hierarchy as hierarchy;
pub use kontakt_io as io;
pub use kontakt_load as load;
pub use kontakt_math as math;
pub use kontakt_mesh as mesh;
pub use kontakt_pair as pair;
pub use kontakt_rigid_ccd as rigid_ccd;
pub use kontakt_scene as scene;
pub use kontakt_schedule as schedule;
pub use kontakt_shapes as shapes;
pub use kontakt_soft as soft;
pub use kontakt_soft_ccd as soft_ccd;

/// The guides' programs are run as written.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/assembly.md")]
#[doc = include_str!("../../docs/guide/cloth.md")]
#[doc = include_str!("../../docs/guide/drag.md")]
struct Guides;
