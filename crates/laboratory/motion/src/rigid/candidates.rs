//! Pairs of triangles whose swept boxes overlap: by sorting along one axis.

use kontakt_math::{DVec3, Motion, Pose};
use kontakt_rigid_ccd::MovingMesh;

/// Steps of time for which boxes are made; between them points are bounded by the motion.
const STEPS: u32 = 8;

struct Box3 {
    low: DVec3,
    high: DVec3,
    triangle: u32,
}

impl Box3 {
    fn overlaps(&self, other: &Box3) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Around all boxes.
    fn around(boxes: &[Box3]) -> Box3 {
        let empty = Box3 { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY, triangle: 0 };
        boxes.iter().fold(empty, |all, x| Box3 {
            low: all.low.min(x.low),
            high: all.high.max(x.high),
            triangle: 0,
        })
    }
}

/// The boxes that hold a body's triangles at all times.
fn swept(body: MovingMesh) -> Vec<Box3> {
    let faces = body.mesh.faces();
    let resting = matches!(body.motion, Motion::Rest(_));
    let steps = if resting { 1 } else { STEPS };
    let poses: Vec<Pose> =
        (0..steps).map(|i| body.motion.pose_at((f64::from(i) + 0.5) / f64::from(steps))).collect();
    (0..faces.triangles().len())
        .map(|triangle| {
            let corners = faces.triangle_points(triangle);
            let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for (i, pose) in poses.iter().enumerate() {
                let span = [i as f64 / f64::from(steps), (i as f64 + 1.0) / f64::from(steps)];
                for corner in corners {
                    let place = pose.apply(corner);
                    let reach = if resting {
                        0.0
                    } else {
                        body.motion.displacement_bound(corner, 0.0, span[0], span[1])
                    };
                    (low, high) = (low.min(place - reach), high.max(place + reach));
                }
            }
            Box3 { low, high, triangle: triangle as u32 }
        })
        .collect()
}

/// All pairs of triangles of the two bodies that can meet at some time.
pub(super) fn pairs(a: MovingMesh, b: MovingMesh) -> Vec<[u32; 2]> {
    let (mut one, mut two) = (swept(a), swept(b));
    // What lies away from all of the other body is left out first.
    let around = Box3::around(&two);
    one.retain(|x| x.overlaps(&around));
    let around = Box3::around(&one);
    two.retain(|x| x.overlaps(&around));
    for boxes in [&mut one, &mut two] {
        boxes.sort_by(|x, y| x.low.x.total_cmp(&y.low.x));
    }
    let mut found = Vec::new();
    let mut begin = 0;
    let longest = two.iter().fold(0.0_f64, |longest, x| longest.max(x.high.x - x.low.x));
    for x in &one {
        while begin < two.len() && two[begin].low.x + longest < x.low.x {
            begin += 1;
        }
        for y in &two[begin..] {
            if y.low.x > x.high.x {
                break;
            }
            if x.overlaps(y) {
                found.push([x.triangle, y.triangle]);
            }
        }
    }
    found
}
