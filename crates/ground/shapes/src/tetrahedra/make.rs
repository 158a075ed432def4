//! Tetrahedral bodies by formula.

use super::{Tetrahedra, TetrahedraError};
use kontakt_math::DVec3;

/// One regular tetrahedron with edges of this length, its point down, its centroid in the origin.
pub fn tetrahedron(edge: f64) -> Result<Tetrahedra, TetrahedraError> {
    let s = edge / 8.0_f64.sqrt();
    let corners = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
    let vertices = corners.map(|c| DVec3::from_array(c) * s).to_vec();
    Tetrahedra::new(vertices, vec![[0, 1, 2, 3]])
        .or_else(|_| Tetrahedra::new(corners.map(|c| DVec3::from_array(c) * s).to_vec(), vec![[0, 2, 1, 3]]))
}

/// A slab of `cells` cubes along each axis, five tetrahedra a cube, mirrored from cube to cube so that their faces fit; sides `size`,
/// its middle in the origin.
pub fn slab(cells: [u32; 3], size: DVec3) -> Result<Tetrahedra, TetrahedraError> {
    let n = cells.map(|c| c.max(1));
    let at = |i: u32, j: u32, k: u32| (k * (n[1] + 1) + j) * (n[0] + 1) + i;
    let mut vertices = Vec::new();
    for k in 0..=n[2] {
        for j in 0..=n[1] {
            for i in 0..=n[0] {
                let share = [i, j, k].map(f64::from);
                let of = |axis: usize| share[axis] / f64::from(n[axis]) - 0.5;
                vertices.push(DVec3::new(of(0), of(1), of(2)) * size);
            }
        }
    }
    let mut tetrahedra = Vec::new();
    for k in 0..n[2] {
        for j in 0..n[1] {
            for i in 0..n[0] {
                // Corner c of the cube by its bits; odd cubes are mirrored in x, which also turns orientations around.
                let odd = (i + j + k) % 2;
                let corner = |c: u32| at(i + ((c & 1) ^ odd), j + (c >> 1 & 1), k + (c >> 2 & 1));
                for mut t in [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]] {
                    if odd == 1 {
                        t.swap(0, 1);
                    }
                    tetrahedra.push(t.map(corner));
                }
            }
        }
    }
    Tetrahedra::new(vertices, tetrahedra)
}
