//! From triangles to the hull proper: coplanar triangles become one polygon, and only extreme points stay.

use super::Hull;
use super::frame::Frame;
use super::quick::{NONE, Triangle};
use kontakt_math::DVec3;
use kontakt_math::predicates::{Sign, orient3d};
use std::cell::Cell;

/// Half-edge k of triangle t, as 3t + k.
fn twin(triangles: &[Triangle], half_edge: usize) -> usize {
    let (t, k) = (half_edge / 3, half_edge % 3);
    let other = triangles[t].across[k] as usize;
    let end = triangles[t].corners[(k + 1) % 3];
    let k = triangles[other].corners.iter().position(|&c| c == end).unwrap_or(0);
    3 * other + k
}

/// The half-edge after this one around its triangle.
fn next(half_edge: usize) -> usize {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}

/// Whether the two triangles at edge k of triangle t bend, decided exactly. (The surface is convex, so: are not
/// coplanar.)
pub(super) fn is_ridge(points: &[DVec3], frame: &Frame, triangles: &[Triangle], t: u32, k: usize) -> bool {
    let back = twin(triangles, 3 * t as usize + k);
    is_off(points, frame, &triangles[t as usize], triangles[back / 3].corners[(back + 2) % 3])
}

/// Whether a point is off the plane of a triangle, decided exactly.
#[inline(always)]
fn is_off(points: &[DVec3], frame: &Frame, t: &Triangle, point: u32) -> bool {
    let height = t.plane.height(frame.local(points[point as usize]));
    height.abs() > t.plane.error || is_off_exactly(points, t.corners, point)
}

/// The same without the filter.
#[cold]
#[inline(never)]
fn is_off_exactly(points: &[DVec3], corners: [u32; 3], point: u32) -> bool {
    let [a, b, c] = corners.map(|i| points[i as usize]);
    orient3d(a, b, c, points[point as usize]) != Sign::Zero
}

/// Lists kept from one hull of a thread to the next; one entry for each half-edge but for the last two.
#[derive(Debug, Default)]
struct Lists {
    ridge: Vec<bool>,
    twins: Vec<u32>,
    face_of: Vec<u32>,
    /// The half-edges that leave the corners of faces.
    leaving: Vec<u32>,
    /// Where ridges start.
    starts: Vec<u32>,
}

/// Lists that have grown longer are not kept.
const KEPT: usize = 1 << 16;

thread_local! {
    static LISTS: Cell<Lists> = Cell::default();
}

/// The hull from a closed convex surface. Ridges are the edges where it bends. The faces of the hull are the parts
/// between ridges; a vertex is extreme exactly when three or more ridges meet there (two: inside an edge, none:
/// inside a face).
pub(super) fn merge(points: &[DVec3], frame: &Frame, triangles: &[Triangle]) -> Hull {
    let mut lists = LISTS.take();
    let few = points.len() <= 8 * triangles.len();
    let hull = if few && (0..triangles.len()).all(|t| bends_everywhere(points, frame, triangles, t)) {
        as_it_is(points.len(), triangles, &mut lists)
    } else {
        joined(points, frame, triangles, &mut lists)
    };
    if triangles.len() <= KEPT {
        LISTS.set(lists);
    }
    hull
}

/// Whether the surface bends at those edges of a triangle behind which there is one of a greater number. Without branches as far as doubles
/// tell: nobody could guess which number is greater.
fn bends_everywhere(points: &[DVec3], frame: &Frame, triangles: &[Triangle], t: usize) -> bool {
    let Triangle { corners, across, plane, alive, .. } = &triangles[t];
    if !alive {
        return true;
    }
    let opposite = |k: usize| {
        // The corner that is not at the common edge is what is left of all five.
        let [a, b, c] = triangles[across[k] as usize].corners;
        a ^ b ^ c ^ corners[k] ^ corners[(k + 1) % 3]
    };
    let is_known = |k: usize| (across[k] as usize) < t;
    let certain = [0, 1, 2].map(|k| {
        let height = plane.height(frame.local(points[opposite(k) as usize]));
        is_known(k) | (height.abs() > plane.error)
    });
    certain == [true; 3] || (0..3).all(|k| is_known(k) || is_off(points, frame, &triangles[t], opposite(k)))
}

/// The hull from a surface that bends everywhere: its triangles are the faces, all their corners extreme.
fn as_it_is(points: usize, triangles: &[Triangle], lists: &mut Lists) -> Hull {
    let mut table = vec![NONE; points];
    fill(&mut lists.face_of, triangles.len(), NONE);
    let mut faces = 0;
    for (face, t) in lists.face_of.iter_mut().zip(triangles).filter(|(_, t)| t.alive) {
        t.corners.iter().for_each(|&corner| table[corner as usize] = 0);
        (*face, faces) = (faces, faces + 1);
    }
    let mut vertices = Vec::with_capacity(faces as usize / 2 + 2);
    for (point, place) in (0_u32..).zip(&mut table).filter(|(_, place)| **place == 0) {
        *place = vertices.len() as u32;
        vertices.push(point);
    }
    let mut loops = Vec::with_capacity(3 * faces as usize);
    lists.leaving.clear();
    for t in triangles.iter().filter(|t| t.alive) {
        loops.extend(t.corners.map(|corner| table[corner as usize]));
        lists.leaving.extend(t.across.map(|other| lists.face_of[other as usize]));
    }
    Hull::assemble(3, vertices, (0..=faces).map(|face| 3 * face).collect(), loops, &lists.leaving)
}

/// The hull from any closed convex surface.
fn joined(points: &[DVec3], frame: &Frame, triangles: &[Triangle], lists: &mut Lists) -> Hull {
    lists.starts.clear();
    fill(&mut lists.ridge, 3 * triangles.len(), false);
    fill(&mut lists.twins, 3 * triangles.len(), NONE);
    for (number, t) in triangles.iter().enumerate().filter(|(_, t)| t.alive) {
        for k in 0..3 {
            let half_edge = 3 * number + k;
            if lists.twins[half_edge] == NONE {
                let back = twin(triangles, half_edge);
                (lists.twins[half_edge], lists.twins[back]) = (back as u32, half_edge as u32);
                let bends = is_off(points, frame, t, triangles[back / 3].corners[(back + 2) % 3]);
                (lists.ridge[half_edge], lists.ridge[back]) = (bends, bends);
            }
            if lists.ridge[half_edge] {
                lists.starts.push(t.corners[k]);
            }
        }
    }
    let vertices = Extreme::of(&mut lists.starts, points.len());
    walk_faces(triangles, lists, vertices)
}

fn fill<T: Copy>(list: &mut Vec<T>, length: usize, value: T) {
    list.clear();
    list.resize(length, value);
}

/// The extreme points, and where each is among them.
struct Extreme {
    /// Ascending.
    vertices: Vec<u32>,
    /// For each point its position, or `NONE`; not made for many points with few that are extreme.
    table: Vec<u32>,
}

impl Extreme {
    /// Those of the given number of points that start three or more ridges.
    fn of(starts: &mut [u32], points: usize) -> Extreme {
        if points > 8 * starts.len() {
            starts.sort_unstable();
            let vertices = starts.chunk_by(|a, b| a == b).filter(|same| same.len() >= 3).map(|same| same[0]);
            return Extreme { vertices: vertices.collect(), table: Vec::new() };
        }
        let mut table = vec![0; points];
        for start in starts {
            table[*start as usize] += 1;
        }
        let mut vertices = Vec::with_capacity(points);
        for (point, place) in (0_u32..).zip(&mut table) {
            if *place >= 3 {
                *place = vertices.len() as u32;
                vertices.push(point);
            } else {
                *place = NONE;
            }
        }
        Extreme { vertices, table }
    }

    /// Where a point is among them, if it is.
    fn position(&self, point: u32) -> Option<u32> {
        match self.table.get(point as usize) {
            Some(&place) => (place != NONE).then_some(place),
            None => self.vertices.binary_search(&point).ok().map(|position| position as u32),
        }
    }
}

/// Follows the rim of each face once and keeps its extreme vertices.
fn walk_faces(triangles: &[Triangle], lists: &mut Lists, extreme: Extreme) -> Hull {
    let Lists { ridge, twins, face_of, leaving, .. } = lists;
    fill(face_of, ridge.len(), NONE);
    leaving.clear();
    let mut starts = Vec::with_capacity(2 * extreme.vertices.len());
    starts.push(0_u32);
    let mut loops = Vec::with_capacity(6 * extreme.vertices.len());
    for first in 0..ridge.len() {
        if !ridge[first] || face_of[first] != NONE {
            continue;
        }
        let face = starts.len() as u32 - 1;
        let mut half_edge = first;
        loop {
            face_of[half_edge] = face;
            let from = triangles[half_edge / 3].corners[half_edge % 3];
            if let Some(position) = extreme.position(from) {
                loops.push(position);
                leaving.push(half_edge as u32);
            }
            half_edge = next(half_edge);
            while !ridge[half_edge] {
                half_edge = next(twins[half_edge] as usize);
            }
            if half_edge == first {
                break;
            }
        }
        starts.push(loops.len() as u32);
    }
    // What is beyond takes the place of the half-edge that leads there.
    for half_edge in leaving.iter_mut() {
        *half_edge = face_of[twins[*half_edge as usize] as usize];
    }
    Hull::assemble(3, extreme.vertices, starts, loops, leaving)
}
