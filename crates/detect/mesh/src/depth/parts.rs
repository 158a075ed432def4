//! A body as convex parts.
//!
//! The hull is cut by the planes of faces that reach into it until no face does (a BSP, in plain doubles); pieces inside the body
//! are joined again where their hull is. **Proof of a part**, independent of how it was found: let K be the hull of its points
//! and K' what is left of it when all its facets move in by `inset`. If every face with an area overlaps K by at most
//! `inset` along some direction, none has a point in the interior of K', which is connected: a point of it that is inside the body
//! shows that all of it is.

use super::outline::compare;
use super::wall::{Wall, facets};
use crate::inside::Location;
use crate::mesh::{Mesh, Outline, Part};
use kontakt_bounds::hull::convex_hull;
use kontakt_math::DVec3;
use kontakt_shapes::topology::has_area;

/// Most faces of a body that is taken apart.
const MOST_FACES: usize = 160;
/// Most cuts, and most parts.
const MOST_CUTS: usize = 128;
const MOST_PARTS: usize = 40;
/// Parts that are joined where possible.
const MOST_JOINED: usize = 24;

/// A face or what is left of one.
type Polygon = Vec<DVec3>;

struct Piece {
    points: Vec<DVec3>,
    /// The faces in it, each with its plane.
    faces: Vec<(Wall, Polygon)>,
}

/// The convex parts of a closed body, found when first asked for; none where there would be too many.
pub(crate) fn parts<'a>(mesh: &'a Mesh, outline: &Outline) -> &'a [Part] {
    mesh.solid().parts.get_or_init(|| parts_of(mesh, outline))
}

fn parts_of(mesh: &Mesh, outline: &Outline) -> Vec<Part> {
    let whole = outline.vertices().to_vec();
    if outline.convex {
        return vec![Part { points: whole, inset: 0.0 }];
    }
    let faces = sorted_faces(mesh);
    if faces.len() > MOST_FACES {
        return Vec::new();
    }
    let size = whole.iter().fold(0.0, |most: f64, x| most.max(x.distance(whole[0])));
    let work = Body { mesh, faces, size, noise: 3e-7 * size };
    let pieces = work.cut(whole);
    let mut parts: Vec<Part> = pieces.into_iter().filter_map(|points| work.part(&points)).collect();
    if parts.len() <= MOST_JOINED {
        work.join(&mut parts);
    }
    parts
}

/// The faces with an area, in an order that depends on their places alone.
fn sorted_faces(mesh: &Mesh) -> Vec<[DVec3; 3]> {
    let faces = mesh.faces();
    let mut found: Vec<[DVec3; 3]> = (0..faces.triangles().len())
        .map(|face| {
            let mut corners = faces.triangle_points(face);
            corners.sort_by(|&p, &q| compare(p, q));
            corners
        })
        .filter(|&corners| has_area(corners))
        .collect();
    let order = |s: &[DVec3; 3], t: &[DVec3; 3]| {
        compare(s[0], t[0]).then_with(|| compare(s[1], t[1])).then_with(|| compare(s[2], t[2]))
    };
    found.sort_by(order);
    found.dedup();
    found
}

struct Body<'a> {
    mesh: &'a Mesh,
    faces: Vec<[DVec3; 3]>,
    size: f64,
    /// Points nearer to a plane than this are on it: single precision knows points no better.
    noise: f64,
}

impl Body<'_> {
    /// Convex pieces without faces inside; none where there would be too many.
    fn cut(&self, whole: Vec<DVec3>) -> Vec<Vec<DVec3>> {
        let plane = |&[a, b, c]: &[DVec3; 3]| {
            let normal = (b - a).cross(c - a).normalize_or_zero();
            (Wall { normal, height: normal.dot(a) }, vec![a, b, c])
        };
        let mut open = vec![Piece { points: whole, faces: self.faces.iter().map(plane).collect() }];
        let (mut done, mut cuts) = (Vec::new(), 0);
        while let Some(mut piece) = open.pop() {
            // Faces on the boundary cut nothing.
            piece.faces.retain(|(wall, _)| {
                let sides = self.sides(*wall, &piece.points);
                sides == [true, true]
            });
            let straddling = |wall: Wall| {
                piece.faces.iter().filter(|(_, face)| self.sides(wall, face) == [true, true]).count()
            };
            let Some(wall) = piece.faces.iter().map(|(wall, _)| *wall).min_by_key(|&wall| straddling(wall))
            else {
                done.push(piece.points);
                continue;
            };
            cuts += 1;
            if cuts > MOST_CUTS || done.len() > MOST_PARTS {
                return Vec::new();
            }
            let (mut below, mut above) = (Vec::new(), Vec::new());
            for (plane, face) in &piece.faces {
                let [low, high] = split(wall, face, self.noise);
                below.extend((low.len() > 2).then_some((*plane, low)));
                above.extend((high.len() > 2).then_some((*plane, high)));
            }
            let [low, high] = self.halves(wall, &piece.points);
            for (points, faces) in [(low, below), (high, above)] {
                if points.len() > 3 {
                    open.push(Piece { points, faces });
                }
            }
        }
        done
    }

    /// Whether points are below a plane, and above.
    fn sides(&self, wall: Wall, points: &[DVec3]) -> [bool; 2] {
        let height = |x: &DVec3| wall.normal.dot(*x) - wall.height;
        [points.iter().any(|x| height(x) < -self.noise), points.iter().any(|x| height(x) > self.noise)]
    }

    /// The two parts of a hull on both sides of a plane, as points.
    fn halves(&self, wall: Wall, points: &[DVec3]) -> [Vec<DVec3>; 2] {
        let height = |x: DVec3| wall.normal.dot(x) - wall.height;
        let mut halves = [Vec::new(), Vec::new()];
        for &x in points {
            if height(x) <= self.noise {
                halves[0].push(x);
            }
            if height(x) >= -self.noise {
                halves[1].push(x);
            }
        }
        let Ok(hull) = convex_hull(points) else { return halves };
        for edge in hull.edges() {
            let [p, q] = edge.ends.map(|k| points[hull.vertices()[k as usize] as usize]);
            if let Some(x) = crossing(wall, p, q, self.noise) {
                for half in &mut halves {
                    if half.iter().all(|y| x.distance(*y) > self.noise) {
                        half.push(x);
                    }
                }
            }
        }
        halves
    }

    /// The part that the hull of some points is, if it is proven to be one.
    ///
    /// Overlaps along a unit vector are differences of products that err by 4u of the points' distance from the origin, which is below 32
    /// times the body's size (see `near`): 1e-13 of that covers them.
    fn part(&self, points: &[DVec3]) -> Option<Part> {
        let hull = convex_hull(points).ok().filter(|hull| hull.dimension() == 3)?;
        let points: Vec<DVec3> = hull.vertices().iter().map(|&k| points[k as usize]).collect();
        let walls = facets(&points)?;
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let room =
            walls.iter().map(|wall| wall.height - wall.normal.dot(middle)).fold(f64::INFINITY, f64::min);
        if room < 1e-9 * self.size || self.mesh.inside(middle).verdict != Location::Inside {
            return None;
        }
        let mut inset: f64 = 0.0;
        for face in &self.faces {
            let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize_or_zero();
            let least = |n: DVec3| face.iter().map(|x| n.dot(*x)).fold(f64::INFINITY, f64::min);
            let most = |n: DVec3| points.iter().map(|x| n.dot(*x)).fold(f64::NEG_INFINITY, f64::max);
            let by_facet = walls.iter().map(|wall| wall.height - least(wall.normal));
            let ways = [normal, -normal].into_iter().filter(|n| *n != DVec3::ZERO);
            let by_plane = ways.map(|n| most(n) - least(n));
            let overlap = by_facet.chain(by_plane).fold(f64::INFINITY, f64::min);
            if overlap > 0.01 * room {
                // A pair of edges may still tell them apart, which is rare enough to give the part up.
                return None;
            }
            inset = inset.max(overlap);
        }
        Some(Part { points, inset: inset.max(0.0) + 1e-13 * self.size })
    }

    /// Replaces parts by the hull of them and others as long as that is a part, and drops those that are in others.
    fn join(&self, parts: &mut Vec<Part>) {
        for i in 0..parts.len() {
            for j in 0..parts.len() {
                let both: Vec<DVec3> = parts[i].points.iter().chain(&parts[j].points).copied().collect();
                if i != j
                    && let Some(joined) = self.part(&both)
                {
                    parts[i] = joined;
                }
            }
        }
        let mut k = 0;
        while k < parts.len() {
            let inner = &parts[k].points;
            let holds = |outer: &Part| {
                facets(&outer.points).is_some_and(|walls| {
                    let inside =
                        |x: &DVec3| walls.iter().all(|wall| wall.normal.dot(*x) <= wall.height + self.noise);
                    inner.iter().all(inside)
                })
            };
            if parts.iter().enumerate().any(|(other, part)| other != k && holds(part)) {
                parts.remove(k);
            } else {
                k += 1;
            }
        }
    }
}

/// Where a segment crosses a plane, when its ends are on both sides.
fn crossing(wall: Wall, p: DVec3, q: DVec3, noise: f64) -> Option<DVec3> {
    let (s, t) = (wall.normal.dot(p) - wall.height, wall.normal.dot(q) - wall.height);
    (s.min(t) < -noise && s.max(t) > noise).then(|| p + (q - p) * (s / (s - t)))
}

/// The parts of a convex polygon below and above a plane; one in the plane is in neither.
fn split(wall: Wall, polygon: &[DVec3], noise: f64) -> [Polygon; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    let mut beyond = [false; 2];
    for (k, &p) in polygon.iter().enumerate() {
        let height = wall.normal.dot(p) - wall.height;
        if height <= noise {
            parts[0].push(p);
        }
        if height >= -noise {
            parts[1].push(p);
        }
        beyond[0] |= height < -noise;
        beyond[1] |= height > noise;
        if let Some(x) = crossing(wall, p, polygon[(k + 1) % polygon.len()], noise) {
            parts[0].push(x);
            parts[1].push(x);
        }
    }
    let [low, high] = parts;
    [if beyond[0] { low } else { Vec::new() }, if beyond[1] { high } else { Vec::new() }]
}
