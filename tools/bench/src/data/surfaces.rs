//! Generated meshes with about as many triangles as asked for, always the same.

use std::f64::consts::{PI, TAU};

/// Vertices (single precision, as scanners and STL files have them) and triangles.
pub(crate) struct Surface {
    /// Name in tables.
    pub(crate) name: String,
    /// Coordinates.
    pub(crate) vertices: Vec<[f32; 3]>,
    /// Corners, counter-clockwise from outside or above.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// A closed sphere with bumps.
pub(crate) fn bumpy_sphere(triangles: usize) -> Surface {
    // Rings of 2n vertices on n − 1 parallels and two poles: 4n(n − 1) triangles.
    let n = (triangles / 4).isqrt().max(2) + 1;
    let around = 2 * n;
    let mut vertices = vec![[0.0, 0.0, 1.0]];
    for ring in 1..n {
        let polar = PI * ring as f64 / n as f64;
        for step in 0..around {
            let azimuth = TAU * step as f64 / around as f64;
            let radius = 1.0 + 0.1 * (5.0 * azimuth).sin() * (7.0 * polar).sin();
            let (s, c) = polar.sin_cos();
            vertices.push([
                (radius * s * azimuth.cos()) as f32,
                (radius * s * azimuth.sin()) as f32,
                (radius * c) as f32,
            ]);
        }
    }
    vertices.push([0.0, 0.0, -1.0]);
    let last = vertices.len() as u32 - 1;
    let at = |ring: usize, step: usize| (1 + (ring - 1) * around + step % around) as u32;
    let mut corners = Vec::with_capacity(4 * n * (n - 1));
    for step in 0..around {
        corners.push([0, at(1, step), at(1, step + 1)]);
        corners.push([last, at(n - 1, step + 1), at(n - 1, step)]);
        for ring in 1..n - 1 {
            let [a, b, c, d] =
                [at(ring, step), at(ring, step + 1), at(ring + 1, step), at(ring + 1, step + 1)];
            corners.extend([[a, c, d], [a, d, b]]);
        }
    }
    Surface { name: format!("sphere {}k", corners.len() / 1000), vertices, triangles: corners }
}

/// An open sheet with hills.
pub(crate) fn terrain(triangles: usize) -> Surface {
    let n = (triangles / 2).isqrt().max(1);
    let mut vertices = Vec::with_capacity((n + 1) * (n + 1));
    for row in 0..=n {
        for column in 0..=n {
            let (x, y) = (100.0 * column as f64 / n as f64, 100.0 * row as f64 / n as f64);
            let height = 6.0 * (0.11 * x).sin() * (0.07 * y).cos() + 1.3 * (0.9 * x + 0.4 * y).sin();
            vertices.push([x as f32, y as f32, height as f32]);
        }
    }
    let at = |row: usize, column: usize| (row * (n + 1) + column) as u32;
    let mut corners = Vec::with_capacity(2 * n * n);
    for row in 0..n {
        for column in 0..n {
            let [a, b] = [at(row, column), at(row, column + 1)];
            let [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
            corners.extend([[a, b, d], [a, d, c]]);
        }
    }
    Surface { name: format!("terrain {}k", corners.len() / 1000), vertices, triangles: corners }
}

#[cfg(test)]
mod tests {
    use super::{Surface, bumpy_sphere, terrain};
    use std::collections::HashMap;

    /// Edges that do not have their opposite: 0 for a closed, consistently oriented surface.
    fn open_edges(surface: &Surface) -> usize {
        let mut uses: HashMap<(u32, u32), i32> = HashMap::new();
        for t in &surface.triangles {
            for i in 0..3 {
                let (a, b) = (t[i], t[(i + 1) % 3]);
                *uses.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
            }
        }
        uses.values().filter(|&&sum| sum != 0).count()
    }

    #[test]
    fn sphere_is_closed_and_terrain_has_one_rim() {
        let sphere = bumpy_sphere(2000);
        assert_eq!(open_edges(&sphere), 0);
        assert_eq!(sphere.vertices.len() - sphere.triangles.len() / 2, 2);
        let sheet = terrain(2000);
        assert_eq!(open_edges(&sheet), 4 * 31);
    }
}
