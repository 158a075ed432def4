//! A body far from the origin of its frame, brought there.
//!
//! Doubles are coarse far out: at 10⁹ a point is known to 10⁻⁷. The depth does not depend on the place, and must not suffer
//! from it.

use super::Mesh;
use kontakt_math::DVec3;
use kontakt_shapes::FaceSet;

/// A copy of a body whose vertices are nearer to the origin, where that helps.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// What was subtracted from every vertex, **exactly**.
    origin: DVec3,
    copy: Option<Box<Mesh>>,
}

/// Farther out than so many times its size a body is far.
const FAR: f64 = 16.0;

impl Near {
    /// Where all coordinates along an axis have one sign and the least is beyond `FAR` ≥ 1 times the body's size, all are between
    /// it and twice it, so differences from it are exact (Sterbenz).
    pub(crate) fn of(mesh: &Mesh) -> Near {
        let faces = mesh.faces();
        let bounds = |(l, h): (DVec3, DVec3), &x: &DVec3| (l.min(x), h.max(x));
        let (low, high) = faces.vertices().iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), bounds);
        let size = (high - low).max_element();
        let pick = |low: f64, high: f64| {
            if low > FAR * size {
                low
            } else if high < -FAR * size {
                high
            } else {
                0.0
            }
        };
        let origin = DVec3::new(pick(low.x, high.x), pick(low.y, high.y), pick(low.z, high.z));
        let moved = || {
            let vertices = faces.vertices().iter().map(|&x| x - origin).collect();
            let faces = FaceSet::from_triangles(vertices, faces.triangles().to_vec()).ok()?;
            Mesh::with_threads(faces, 1).ok()
        };
        match (origin != DVec3::ZERO).then(moved).flatten() {
            Some(copy) => Near { origin, copy: Some(Box::new(copy)) },
            None => Near { origin: DVec3::ZERO, copy: None },
        }
    }
}

impl Mesh {
    /// The body near the origin of its frame, and which point of its frame is the origin there.
    pub(crate) fn near(&self) -> (&Mesh, DVec3) {
        let near = self.solid().near.get_or_init(|| Near::of(self));
        (near.copy.as_deref().unwrap_or(self), near.origin)
    }
}
