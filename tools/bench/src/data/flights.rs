//! Two bodies and how they move, the same for everybody.

use crate::data::scenes::{PlainMesh, PlainPose};
use crate::data::writers::raw_flights;
use kontakt::math::{DVec3, Motion, Pose};
use kontakt::mesh::Mesh;
use std::path::Path;
use testbodies::moving::flights::{Between, Flight};
use testbodies::moving::{block, bumpy_sphere, wavy_torus};

/// Two bodies and their motions.
pub(crate) struct Flights {
    /// Name of the case.
    pub(crate) name: String,
    /// The bodies, A and B.
    pub(crate) bodies: [Mesh; 2],
    /// Half extents, if both are boxes.
    pub(crate) halves: Option<[[f64; 3]; 2]>,
    /// World from A and from B.
    pub(crate) motions: Vec<[Motion; 2]>,
    /// Whether the motions are straight with slerp, which peers know.
    pub(crate) plain: bool,
}

impl Flights {
    /// Two boxes.
    pub(crate) fn boxes(flight: Flight, count: usize, seed: u64) -> Flights {
        let halves = [[0.5, 0.7, 0.3], [0.4, 0.3, 0.6]];
        let bodies = halves.map(|half| block(DVec3::from_array(half)));
        Flights::new("boxes", bodies, Some(halves), flight, count, seed)
    }

    /// A ball of 13 thousand triangles and a ring of 70 thousand, far from convex.
    pub(crate) fn meshes(flight: Flight, count: usize, seed: u64) -> Flights {
        Flights::new(
            "meshes",
            [bumpy_sphere(58, 0.1), wavy_torus(350, 100, 0.3, 0.3)],
            None,
            flight,
            count,
            seed,
        )
    }

    fn new(
        what: &str,
        bodies: [Mesh; 2],
        halves: Option<[[f64; 3]; 2]>,
        flight: Flight,
        count: usize,
        seed: u64,
    ) -> Flights {
        let who = if flight.both { "both move" } else { "one moves" };
        let past = if flight.aside > 0.0 { ", passing by" } else { "" };
        let how = match flight.between {
            Between::Slerp => "",
            Between::Nlerp => ", nlerp",
            Between::Screw => ", screw",
        };
        let name = format!("{what}, {who}{past}{how}");
        Flights {
            name,
            bodies,
            halves,
            motions: flight.motions(count, 7 + seed),
            plain: flight.between == Between::Slerp,
        }
    }

    /// "13224 × 70000 triangles".
    pub(crate) fn size(&self) -> String {
        let [a, b] = [0, 1].map(|k| self.bodies[k].faces().triangles().len());
        format!("{a} × {b} triangles, {} motions", self.motions.len())
    }

    /// The ends of the first motions, as peers take them.
    pub(crate) fn ends(&self, count: usize) -> Vec<[[PlainPose; 2]; 2]> {
        self.motions.iter().take(count).map(ends).collect()
    }

    /// Writes the bodies and the first motions for drivers in other processes (format: `peers/fcl_moving.cpp`).
    pub(crate) fn write(&self, path: &Path, count: usize) -> Result<(), String> {
        let shapes = match self.halves {
            Some(halves) => halves.map(|half| PlainMesh { vertices: vec![half], triangles: Vec::new() }),
            None => [0, 1].map(|k| PlainMesh::of(self.bodies[k].faces())),
        };
        let kind = if self.halves.is_some() { 0 } else { 2 };
        raw_flights(path, kind, &shapes, &self.ends(count))
            .map_err(|problem| format!("{}: {problem}", path.display()))
    }
}

/// Start and end of both motions.
pub(crate) fn ends(motions: &[Motion; 2]) -> [[PlainPose; 2]; 2] {
    let plain = |pose: Pose| PlainPose {
        translation: pose.translation().to_array(),
        rotation: pose.rotation().to_array(),
    };
    [0, 1].map(|k| [0.0, 1.0].map(|t| plain(motions[k].pose_at(t))))
}
