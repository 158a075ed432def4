//! Recorded motions: any bytes give poses at growing times or an error that names the text; the path is checked.

use kontakt_io::read_trajectory_bytes;
use kontakt_math::{DVec3, Interpolation};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_rigid_ccd::path::{PathOptions, PathScene, Segment, Unwatched, PathVerdict, check};
use kontakt_shapes::FaceSet;
use std::sync::OnceLock;

/// Poses of a path that are looked at.
const MOST_POSES: usize = 6;

/// A tetrahedron at the corner of the axes.
fn body() -> &'static Mesh {
    static BODY: OnceLock<Mesh> = OnceLock::new();
    BODY.get_or_init(|| {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let faces = FaceSet::from_triangles(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
        Mesh::with_threads(faces.expect("sound faces"), 1).expect("mesh")
    })
}

/// Reads the bytes and checks the first segments. Times must grow, verdicts and bounds must fit together.
pub fn trajectory(bytes: &[u8]) {
    let read = match read_trajectory_bytes(bytes, "fuzz") {
        Err(error) => return assert!(error.to_string().starts_with("fuzz"), "{error}"),
        Ok(read) => read,
    };
    assert!(read.times.len() >= 2 && read.times.len() == read.poses.len());
    assert!(read.times.windows(2).all(|pair| pair[0] < pair[1]));
    let count = read.times.len().min(MOST_POSES);
    let how = match bytes.len() % 3 {
        0 => Interpolation::Slerp { pivot: DVec3::X },
        1 => Interpolation::Nlerp { pivot: DVec3::ZERO },
        _ => Interpolation::Screw,
    };
    let segments = Segment::between(&read.times[..count], &read.poses[..count], how).expect("times grow");
    let scene = PathScene::new(&[body()], &[PlacedMesh::at_rest(body())]);
    let options = PathOptions { most_work: 2_000, most_distances: [8, 16], ..PathOptions::default() };
    let report = check(&scene, &segments, &options, &Unwatched);
    assert_eq!(report.segments.len(), count - 1);
    for segment in &report.segments {
        let [start, end] = segment.times;
        assert!(start <= segment.free_until && segment.free_until <= end, "{segment:?}");
        assert_eq!(segment.verdict == PathVerdict::Free, segment.proven_by().is_none());
        assert!(segment.verdict != PathVerdict::Free || segment.free_until == end, "{segment:?}");
        assert!(segment.proven_by().is_none_or(|by| segment.free_until <= by && by <= end), "{segment:?}");
        assert!(segment.verdict == PathVerdict::Overlap || segment.at_poses != PathVerdict::Overlap || segment.verdict == PathVerdict::Contact);
        assert!(segment.clearance.is_none_or(|clearance| clearance.range.lo() >= 0.0), "{segment:?}");
    }
}
