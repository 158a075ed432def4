//! The truth about convex bodies of a scene.

use crate::data::bodies::{Bodies, Kind};
use crate::data::scenes::{PlainMesh, PlainPose};
use testkit::convex::{Body, Core, truth};

/// References that are not as good as this are left out.
const ERROR: f64 = 1e-13;

/// Signed separation at each query; NaN where no reference is had.
pub(crate) fn separations(bodies: &Bodies) -> Vec<f64> {
    let cores: Vec<Core> = bodies.shapes.iter().map(|mesh| core(bodies.kind, mesh)).collect();
    let body = |shape: usize, pose: &PlainPose| Body {
        core: cores[shape].clone(),
        radii: [0.0; 2],
        rotation: pose.rotation,
        translation: pose.translation,
    };
    let ask = |query: &crate::data::bodies::Query| {
        let a = body(query.shapes[0], &query.poses[0]);
        let b = body(query.shapes[1], &query.poses[1]);
        truth(&a, &b).filter(|found| found.error <= ERROR).map_or(f64::NAN, |found| found.separation.high)
    };
    bodies.queries.iter().map(ask).collect()
}

fn core(kind: Kind, mesh: &PlainMesh) -> Core {
    match kind {
        Kind::Box => Core::cuboid(mesh.vertices[0]),
        Kind::Ellipsoid => Core::Ellipsoid(mesh.vertices[0]),
        Kind::Hull => {
            let faces: Vec<[usize; 3]> =
                mesh.triangles.iter().map(|corners| corners.map(|corner| corner as usize)).collect();
            let sides = |[i, j, k]: &[usize; 3]| [[*i, *j], [*j, *k], [*k, *i]];
            let edges = faces.iter().flat_map(sides).filter(|[i, j]| i < j).collect();
            Core::Points { points: mesh.vertices.clone(), edges, faces }
        }
    }
}
