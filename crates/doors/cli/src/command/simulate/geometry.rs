//! What scenarios name bodies by.

use super::scenario::Scenario;
use crate::failure::Failure;
use kontakt::io::{ReadOptions, read, read_convex_shape_bytes};
use kontakt::mesh::Mesh;
use kontakt::pair::Body as Geometry;
use std::path::Path;

/// A shape as JSON has it, or a mesh from a file beside the scenario.
pub(super) fn geometry(
    shape: Option<&toml::Value>,
    mesh: Option<&Path>,
    what: &str,
    scenario: &Scenario,
) -> Result<Geometry, Failure> {
    match (shape, mesh) {
        (Some(shape), None) => {
            let text =
                serde_json::to_vec(shape).map_err(|error| scenario.wrong(&format!("{what}: {error}")))?;
            let shape = read_convex_shape_bytes(&text, what);
            Ok(shape.map_err(|error| scenario.wrong(&error.to_string()))?.into())
        }
        (None, Some(mesh)) => {
            let path = scenario.beside(mesh);
            let loaded = read(&path, &ReadOptions::default())?;
            let [body] = loaded.bodies.as_slice() else {
                return Err(scenario.wrong(&format!(
                    "{}: a grain is one body, the file has {}",
                    path.display(),
                    loaded.bodies.len()
                )));
            };
            let named = |error| Failure::Mesh { name: path.display().to_string(), error };
            Ok(Geometry::mesh(Mesh::new(body.faces.clone()).map_err(named)?))
        }
        _ => Err(scenario.wrong(&format!("{what} needs either a `shape` or a `mesh`"))),
    }
}
