//! The boundary of a polytope as triangles.

use crate::{Core, Shape};
use kontakt_math::DVec3;

/// Triangles that cover the boundary of a polytope, exactly, counter-clockwise seen from outside. Of a polytope without an inside
/// both sides; a segment and a point are one triangle without area.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The corners, in the shape's frame.
    pub vertices: Vec<DVec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// The boundary of a sharp polytope (point, segment, triangle, box, hull); none of rounded and of other shapes.
    pub fn surface(&self) -> Option<Surface> {
        if self.radii() != [0.0; 2] {
            return None;
        }
        Some(match self.core() {
            Core::Point => Surface { vertices: vec![DVec3::ZERO], triangles: vec![[0, 0, 0]] },
            Core::Segment(ends) => Surface { vertices: ends.to_vec(), triangles: vec![[0, 1, 1]] },
            Core::Triangle(corners) => {
                Surface { vertices: corners.to_vec(), triangles: vec![[0, 1, 2], [0, 2, 1]] }
            }
            Core::Box(half) => of_box(*half),
            Core::Hull(hull) => {
                let vertices = hull.vertices().to_vec();
                let triangles = match hull.dimension() {
                    0 => vec![[0, 0, 0]],
                    1 => vec![[0, 1, 1]],
                    _ => (0..hull.face_count()).flat_map(|face| fan(hull.face(face))).collect(),
                };
                Surface { vertices, triangles }
            }
            _ => return None,
        })
    }
}

/// A box; corner i has the signs of its three bits.
fn of_box(half: DVec3) -> Surface {
    let side = |corner: usize, k: usize| if corner >> k & 1 == 0 { -half[k] } else { half[k] };
    let vertices = (0..8).map(|i| DVec3::new(side(i, 0), side(i, 1), side(i, 2))).collect();
    let mut triangles = Vec::with_capacity(12);
    for k in 0..3 {
        let (u, v) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
        // From below, u turns to v clockwise.
        triangles.extend(fan([0, v, u | v, u].into_iter()));
        triangles.extend(fan([0, u, u | v, v].map(|corner| corner | 1 << k).into_iter()));
    }
    Surface { vertices, triangles }
}

/// The triangles of a convex polygon.
fn fan(mut corners: impl Iterator<Item = u32>) -> Vec<[u32; 3]> {
    let Some(first) = corners.next() else { return Vec::new() };
    let rest: Vec<u32> = corners.collect();
    rest.windows(2).map(|pair| [first, pair[0], pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume of the solid that oriented triangles enclose.
    fn six_volumes(surface: &Surface) -> f64 {
        let at = |i: u32| surface.vertices[i as usize];
        surface.triangles.iter().map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2])))).sum()
    }

    #[test]
    fn surfaces_are_turned_outward() {
        let cuboid = Shape::cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap().surface().unwrap();
        assert_eq!(six_volumes(&cuboid), 6.0 * 48.0);
        let hull = Shape::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).unwrap().surface().unwrap();
        assert_eq!(six_volumes(&hull), 1.0);
    }

    #[test]
    fn what_has_no_inside_has_two_sides_or_no_area() {
        let flat = Shape::cuboid(DVec3::new(1.0, 2.0, 0.0)).unwrap().surface().unwrap();
        assert_eq!(six_volumes(&flat), 0.0);
        let line = Shape::hull(&[DVec3::ZERO, DVec3::X, DVec3::X * 2.0]).unwrap().surface().unwrap();
        assert_eq!((line.vertices.len(), line.triangles), (2, vec![[0, 1, 1]]));
        assert!(Shape::sphere(1.0).unwrap().surface().is_none());
    }
}
