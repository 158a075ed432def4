//! Mesh files in and out: OBJ, STL, PLY, OFF, glTF and saved hierarchies in; OBJ, STL, PLY and saved hierarchies out;
//! bodies with curved faces from STEP and ACIS files; lists of pairs of convex shapes as JSON, recorded motions and queries of moving features in.
//!
//! Readers are total: any bytes give bodies or a [`ReadError`] that names file and line, byte or element. They read
//! through a buffer of fixed size and allocate no more than the data they have seen justify.

mod atomic;
mod base64;
mod bytes;
mod checkpoint_folder;
pub mod convex;
pub mod curved;
mod elements;
pub mod error;
mod excerpt;
pub mod format;
pub mod fraction;
mod gltf;
mod input;
mod json;
mod kh;
pub mod moving_queries;
mod moving_query_error;
mod msh;
pub mod names;
mod number;
mod obj;
mod off;
mod ply;
pub mod read;
pub mod report;
pub mod sat;
mod scanner;
pub mod scene_file;
pub mod snapshot;
mod sniff;
pub mod step;
mod stl;
pub mod trajectory;
mod vtk;
mod vtk_cells;
mod vtu;
mod watched;
mod whole;
pub mod write;
mod write_error;

pub use checkpoint_folder::CheckpointFolder;
pub use convex::{
    ConvexPair, read_convex_pairs, read_convex_pairs_bytes, read_convex_pairs_until, read_convex_shape,
    read_convex_shape_bytes, read_convex_shape_until,
};
pub use curved::{BodyKind, CurvedBody, CurvedFile, CurvedReport, Loss, Lost, Why};
pub use error::{Place, Problem, ReadError};
pub use format::Format;
pub use fraction::FractionError;
pub use kh::{read_stored, read_stored_until, write_stored, write_stored_until};
pub use moving_queries::{
    MovingQuery, MovingQueryError, read_moving_queries, read_moving_queries_bytes, read_moving_queries_until,
};
pub use names::Names;
pub use read::{ReadOptions, Split, read, read_bytes, read_curved, read_tetrahedra};
pub use report::{Loaded, ReadReport};
pub use sat::{read_sat, read_sat_bytes};
pub use scene_file::{
    SceneEntry, SceneFile, SceneGroup, SceneMotion, SceneRules, SceneSource, SceneWay, read_scene_bytes,
    read_scene_file, read_scene_file_until,
};
pub use snapshot::{Cells, Field, Snapshot, Values};
pub use sniff::Looks;
pub use step::{read_step, read_step_bytes};
pub use trajectory::{Trajectory, read_trajectory, read_trajectory_bytes, read_trajectory_until};
pub use write::{
    Encoding, Losses, MshOptions, MshVersion, Series, VtuOptions, WriteError, WriteOptions, write, write_msh,
    write_pvd, write_pvtu, write_vtk, write_vtu,
};
