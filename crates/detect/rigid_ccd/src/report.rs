//! Where two triangles first meet: features, points and normal, to rounding.

use crate::leg::Leg;
use crate::search::{Met, corners};
use kontakt_answers::{Contact, Feature, Range};
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;
use kontakt_mesh::face::distance;

/// Two features, their nearest points and the normal between them.
struct Nearest {
    squared: f64,
    features: [Local; 2],
    points: [DVec3; 2],
    normal: DVec3,
}

/// A feature of a triangle.
#[derive(Clone, Copy)]
enum Local {
    Corner(usize),
    Edge(usize),
    Face,
}

/// The contact of two triangles at the beginning of its time.
pub(crate) fn contact(leg: &Leg, a: &Mesh, b: &Mesh, met: &Met) -> Contact {
    let relative = leg.relative(met.lo);
    let own = corners(a, met.slots[0]);
    let other = corners(b, met.slots[1]).map(|x| relative.b_in_a(x));
    let nearest = nearest(own, other);
    let world = leg.a.at(met.lo);
    let place = |x: DVec3| world.turn * x + world.shift;
    let name = |mesh: &Mesh, slot: u32, local: Local| {
        let ids = mesh.tree().corners()[slot as usize];
        match local {
            Local::Corner(i) => Feature::Vertex(ids[i]),
            Local::Edge(i) => Feature::edge(ids[i], ids[(i + 1) % 3]),
            Local::Face => Feature::Face(mesh.tree().order()[slot as usize]),
        }
    };
    let gap = nearest.squared.sqrt();
    Contact {
        point_a: place(nearest.points[0]),
        point_b: place(nearest.points[1]),
        normal: world.turn * nearest.normal,
        depth: Range::new(-gap, 0.0).unwrap_or(Range::ZERO),
        feature_a: Some(name(a, met.slots[0], nearest.features[0])),
        feature_b: Some(name(b, met.slots[1], nearest.features[1])),
    }
}

/// The nearest features of two triangles that hardly touch: a corner over a face, or two edges.
fn nearest(a: [DVec3; 3], b: [DVec3; 3]) -> Nearest {
    let centre = |t: &[DVec3; 3]| (t[0] + t[1] + t[2]) / 3.0;
    let between = centre(&b) - centre(&a);
    let mut best = Nearest {
        squared: f64::INFINITY,
        features: [Local::Face, Local::Face],
        points: [centre(&a), centre(&b)],
        normal: between.normalize_or(DVec3::X),
    };
    let size = [a, b].as_flattened().iter().fold(0.0_f64, |s, x| s.max((*x - a[0]).abs().max_element()));
    // A corner over the inside of a face wins over edges as near as rounding.
    let slack = (1e-12 * size).powi(2);
    for (swap, face, points) in [(false, a, b), (true, b, a)] {
        let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize_or_zero();
        for (i, point) in points.into_iter().enumerate() {
            let height = normal.dot(point - face[0]);
            if height * height >= best.squared {
                continue;
            }
            let foot = point - normal * height;
            let inside = (0..3).all(|k| {
                let edge = face[(k + 1) % 3] - face[k];
                edge.cross(foot - face[k]).dot(normal) >= -1e-9 * edge.length() * size
            });
            if !inside || normal == DVec3::ZERO {
                continue;
            }
            let (squared, features, points) =
                (height * height, [Local::Face, Local::Corner(i)], [foot, point]);
            let found = if swap {
                Nearest {
                    squared,
                    features: [features[1], features[0]],
                    points: [points[1], points[0]],
                    normal,
                }
            } else {
                Nearest { squared, features, points, normal }
            };
            best = found;
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let [points_a, points_b] = [(a, i), (b, j)].map(|(t, k)| [t[k], t[(k + 1) % 3]]);
            let across = (points_a[1] - points_a[0]).cross(points_b[1] - points_b[0]);
            // The edges' lines are no nearer than this.
            let height = across.dot(points_b[0] - points_a[0]);
            if height * height >= best.squared * across.length_squared() {
                continue;
            }
            let points = between_edges(points_a, points_b);
            let squared = points[0].distance_squared(points[1]);
            if across != DVec3::ZERO && squared + slack < best.squared {
                let (features, normal) = ([Local::Edge(i), Local::Edge(j)], across.normalize_or_zero());
                best = Nearest { squared, features, points, normal };
            }
        }
    }
    // From A to B: along the gap if that is more than rounding, else along the way from centre to centre.
    let gap = best.points[1] - best.points[0];
    let along = if gap.length_squared() > slack { gap } else { between };
    if best.normal.dot(along) < 0.0 {
        best.normal = -best.normal;
    }
    if best.squared.is_infinite() {
        // Degenerate triangles: no normals to go by.
        let whole = distance(a, b);
        best.squared = whole.squared;
        best.points = [whole.point_a, whole.point_b];
    }
    best
}

/// Nearest points of two segments, to rounding.
fn between_edges([p, p_end]: [DVec3; 2], [q, q_end]: [DVec3; 2]) -> [DVec3; 2] {
    let (d, e, r) = (p_end - p, q_end - q, q - p);
    let n = d.cross(e);
    #[expect(clippy::manual_clamp, reason = "takes NaN to 0")]
    let unit = |x: f64| x.max(0.0).min(1.0);
    let s = unit(r.cross(e).dot(n) / n.length_squared());
    let t = unit(e.dot(p + d * s - q) / e.length_squared());
    let s = unit(d.dot(q + e * t - p) / d.length_squared());
    [p + d * s, q + e * t]
}
