//! The triangles of a leaf in single precision, eight lanes, near a common origin.

use kontakt_math::{DMat3, DVec3};

use super::descent::Run;
use super::lanes::LANES;
use crate::mesh::Mesh;

/// Up to eight triangles in *local* coordinates: A's packed units about an origin chosen by the caller. Unused lanes repeat
/// the first.
///
/// Corners and edges are rounded once from doubles: relative 2⁻²⁴ of each number, beside the error of the placed point.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(super) struct Batch {
    /// `[corner][axis][lane]`
    pub(super) corner: [[[f32; LANES]; 3]; 3],
    /// From corner k to corner k + 1, `[k][axis][lane]`
    pub(super) edge: [[[f32; LANES]; 3]; 3],
    /// Largest taxicab length of an edge.
    pub(super) size: [f32; LANES],
    /// Largest taxicab length of any corner.
    pub(super) reach: f32,
    /// How many lanes are used.
    pub(super) count: u32,
}

/// A rigid map with a scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) turn: DMat3,
    pub(super) shift: DVec3,
}

impl Batch {
    /// No triangles.
    pub(super) const EMPTY: Batch = Batch {
        corner: [[[0.0; LANES]; 3]; 3],
        edge: [[[0.0; LANES]; 3]; 3],
        size: [0.0; LANES],
        reach: 0.0,
        count: 0,
    };

    /// Takes the triangles of a leaf, their points mapped by `place`.
    #[inline(always)]
    pub(super) fn fill(&mut self, mesh: &Mesh, run: Run, place: impl Fn(DVec3) -> DVec3) {
        let slots = run.first as usize..(run.first + run.count) as usize;
        let vertices = mesh.faces().vertices();
        self.reach = 0.0;
        self.count = run.count;
        for (lane, corners) in mesh.tree().corners()[slots].iter().enumerate().take(LANES) {
            let p = [
                place(vertices[corners[0] as usize]),
                place(vertices[corners[1] as usize]),
                place(vertices[corners[2] as usize]),
            ];
            self.set(lane, p);
        }
        for lane in run.count as usize..LANES {
            for k in 0..3 {
                for axis in 0..3 {
                    self.corner[k][axis][lane] = self.corner[k][axis][0];
                    self.edge[k][axis][lane] = self.edge[k][axis][0];
                }
            }
            self.size[lane] = self.size[0];
        }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, p: [DVec3; 3]) {
        let mut size = 0.0_f32;
        for k in 0..3 {
            let e = p[(k + 1) % 3] - p[k];
            let (corner, edge) = (p[k].to_array().map(|x| x as f32), e.to_array().map(|x| x as f32));
            for axis in 0..3 {
                self.corner[k][axis][lane] = corner[axis];
                self.edge[k][axis][lane] = edge[axis];
            }
            let taxicab = |v: [f32; 3]| v[0].abs() + v[1].abs() + v[2].abs();
            size = size.max(taxicab(edge));
            self.reach = self.reach.max(taxicab(corner));
        }
        self.size[lane] = size;
    }
}
