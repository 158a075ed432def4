//! Where a body meets itself.

use crate::face::{Between, meeting, only_there};
use crate::face_pair::FacePair;
use crate::mesh::{Mesh, MeshError};
use crate::solo::Solo;
use kontakt_answers::Visits;
use kontakt_hierarchy::BuildError;
use kontakt_hierarchy::packed::Child;
use kontakt_math::predicates::{orient2d, orient3d};
use kontakt_math::{DVec2, DVec3, Pose, Sign};
use kontakt_schedule::Deadline;
use kontakt_shapes::FaceSet;
use kontakt_shapes::topology::has_area;

/// Pairs of triangles of one body that meet beyond their common corners and edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelfMeetings {
    /// Each pair once, the smaller id in `a`; sorted.
    pub pairs: Vec<FacePair>,
    /// Whether these are all; if not, they are the first of all, as many as asked for or found in time.
    pub complete: bool,
}

/// The pairs of triangles of a body that meet where they should not, see [`Mesh::self_intersections`], those found before a deadline. Its
/// hierarchy is built, with so many threads, only if there is anything to compare: one polygon never meets itself.
pub fn self_intersections(
    faces: FaceSet,
    threads: usize,
    max_pairs: usize,
    deadline: Deadline,
) -> Result<SelfMeetings, MeshError> {
    if has_one_polygon(&faces) {
        return Ok(SelfMeetings { pairs: Vec::new(), complete: true });
    }
    let mesh = match Mesh::with_threads_until(faces, threads, deadline) {
        Err(MeshError::Build(BuildError::Expired(_))) => {
            return Ok(SelfMeetings { pairs: Vec::new(), complete: false });
        }
        mesh => mesh?,
    };
    Ok(mesh.self_intersections_until(max_pairs, deadline))
}

/// Whether all triangles with an area are of one polygon that does not meet itself, or there is one at most.
fn has_one_polygon(faces: &FaceSet) -> bool {
    let proper = |triangle: &usize| has_area(faces.triangle_points(*triangle));
    if faces.is_plain_triangles() {
        return (0..faces.triangles().len()).filter(proper).nth(1).is_none();
    }
    let polygon = polygons(faces);
    let mut others = (0..polygon.len()).filter(proper).map(|triangle| polygon[triangle]);
    let first = others.next().unwrap_or(NONE);
    others.all(|other| other == first && other != NONE)
}

impl Mesh {
    /// The pairs of triangles that meet where they should not, **exact**, at most `max_pairs` of them. Vertices at one place
    /// count as one. Two triangles with
    ///
    /// - no common vertex: have a common point;
    /// - one common vertex: have another common point;
    /// - a common edge: overlap in one plane (are folded onto each other);
    /// - three common vertices: are duplicates.
    ///
    /// Triangles without area are left out: `Topology` reports them.
    pub fn self_intersections(&self, max_pairs: usize) -> SelfMeetings {
        self.self_intersections_until(max_pairs, Deadline::NEVER)
    }

    /// The same, those found before a deadline.
    pub fn self_intersections_until(&self, max_pairs: usize, deadline: Deadline) -> SelfMeetings {
        let mut found = SelfMeetings { pairs: Vec::new(), complete: true };
        let mut search = SelfSearch::new(self);
        let mut pacer = deadline.pacer();
        for face in 0..self.faces.triangles().len() as u32 {
            search.near_later(face);
            for k in 0..search.near.len() {
                let other = search.near[k];
                let late = pacer.tick().is_err();
                if late || search.meet(face, other) {
                    if late || found.pairs.len() >= max_pairs {
                        found.complete = false;
                        return found;
                    }
                    found.pairs.push(FacePair { a: face, b: other });
                }
            }
        }
        found
    }

    /// The faces that meet others so, ascending; found out when first asked for.
    pub(crate) fn self_meeting(&self) -> &[u32] {
        self.solid().self_meeting.get_or_init(|| self.self_meeting_faces())
    }

    /// Whether the faces are one surface without branches that does not meet itself: two at every edge, all joined by edges, round
    /// every place one fan, none without an area (a tube folded to a needle would join two solids), and no two with more
    /// in common than corners and edges. Such a surface bounds one connected solid.
    pub(crate) fn is_simple_surface(&self) -> bool {
        let solid = self.solid();
        *solid.simple.get_or_init(|| {
            solid.is_one_surface(self) && solid.needles(self).is_empty() && self.self_meeting().is_empty()
        })
    }

    fn self_meeting_faces(&self) -> Vec<u32> {
        let faces = self.faces.triangles().len() as u32;
        let mut met = vec![false; faces as usize];
        let mut search = SelfSearch::new(self);
        for face in 0..faces {
            search.near_later(face);
            for k in 0..search.near.len() {
                let other = search.near[k];
                let known = met[face as usize] && met[other as usize];
                if !known && search.meet(face, other) {
                    met[face as usize] = true;
                    met[other as usize] = true;
                }
            }
        }
        (0..faces).filter(|&face| met[face as usize]).collect()
    }
}

/// No face, or more than one.
const NONE: u32 = u32::MAX;

/// Pairs of faces of one body that may meet.
struct SelfSearch<'a> {
    mesh: &'a Mesh,
    identity: Between,
    visits: Visits,
    has_area: Vec<bool>,
    /// The polygon that a triangle is part of (its first face), [`NONE`] where it is a face of its own. Triangles of one polygon never
    /// meet: they are parts of a convex plane face, or triangles of a source face that are proven apart.
    polygon: Vec<u32>,
    /// The polygon of all triangles below a node.
    polygon_below: Vec<u32>,
    near: Vec<u32>,
}

impl<'a> SelfSearch<'a> {
    fn new(mesh: &'a Mesh) -> SelfSearch<'a> {
        let faces = &mesh.faces;
        let count = faces.triangles().len();
        let polygon = if faces.is_plain_triangles() { Vec::new() } else { polygons(faces) };
        let has_area = |t: usize| has_area(faces.triangle_points(t));
        SelfSearch {
            mesh,
            identity: Between::new(Pose::IDENTITY, Pose::IDENTITY),
            visits: Visits::default(),
            has_area: (0..count).map(has_area).collect(),
            polygon_below: polygon_below(mesh, &polygon),
            polygon,
            near: Vec::new(),
        }
    }

    /// The faces after one whose boxes meet its box, ascending; faces without an area and those of its own polygon left out.
    fn near_later(&mut self, face: u32) {
        let SelfSearch { mesh, near, polygon, polygon_below, has_area, .. } = self;
        near.clear();
        if !has_area[face as usize] {
            return;
        }
        let [a, b, c] = mesh.faces.triangle_points(face as usize);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let own = polygon.get(face as usize).copied().unwrap_or(NONE);
        let skip = |node: u32| own != NONE && polygon_below.get(node as usize) == Some(&own);
        Solo::new(&mesh.tree).in_box_but(low, high, skip, |slot| {
            let other = mesh.tree.order()[slot as usize];
            let foreign = own == NONE || polygon[other as usize] != own;
            if other > face && foreign && has_area[other as usize] && boxes_meet(mesh, low, high, other) {
                near.push(other);
            }
        });
        near.sort_unstable();
    }

    /// Whether two faces with an area meet where they should not.
    ///
    /// Why the two edges opposite a common vertex p decide: the common points are convex, so with a second one x the segment
    /// from p to x is common. Prolonged from p it leaves one of the triangles first, through the edge opposite p, at a
    /// point of the other.
    fn meet(&mut self, face: u32, other: u32) -> bool {
        let solid = self.mesh.solid();
        let faces = &self.mesh.faces;
        let ids = |f: u32| faces.triangles()[f as usize].map(|v| solid.place(v));
        let (p, q) = (ids(face), ids(other));
        let (x, y) = (faces.triangle_points(face as usize), faces.triangle_points(other as usize));
        let mut common = [(0, 0); 3];
        let mut count = 0;
        for (i, place) in p.into_iter().enumerate() {
            // The corners of a face with an area are at three places.
            if let Some(j) = q.into_iter().position(|other| other == place) {
                common[count] = (i, j);
                count += 1;
            }
        }
        let (i, j) = common[0];
        match count {
            0 => meeting(&self.identity, x, y, &mut self.visits).meets(),
            1 if only_there(&x, &y, (i, j)) => false,
            1 => {
                let opposite = |t: [DVec3; 3], k: usize| [t[(k + 1) % 3], t[(k + 2) % 3], t[(k + 2) % 3]];
                meeting(&self.identity, opposite(x, i), y, &mut self.visits).meets()
                    || meeting(&self.identity, x, opposite(y, j), &mut self.visits).meets()
            }
            2 => {
                let (k, l) = common[1];
                are_folded([x[i], x[k]], x[3 - i - k], y[3 - j - l])
            }
            _ => true,
        }
    }
}

/// Whether two faces with an area and a common edge overlap, by their third corners: they lie in one plane, on one side of the
/// edge. Seen along an axis that shows the one, a corner on the other side, or on the line of the edge, is not in that
/// part of that plane.
fn are_folded([from, to]: [DVec3; 2], first: DVec3, second: DVec3) -> bool {
    let shown = (0..3).find_map(|axis| match flat_turn(axis, from, to, first) {
        Sign::Zero => None,
        turn => Some((axis, turn)),
    });
    shown.is_some_and(|(axis, turn)| {
        flat_turn(axis, from, to, second) == turn && orient3d(from, to, first, second) == Sign::Zero
    })
}

/// The exact turn of three points seen along an axis.
fn flat_turn(axis: usize, a: DVec3, b: DVec3, c: DVec3) -> Sign {
    let [a, b, c] = [a, b, c].map(|p| DVec2::new(p[(axis + 1) % 3], p[(axis + 2) % 3]));
    orient2d(a, b, c)
}

fn boxes_meet(mesh: &Mesh, low: DVec3, high: DVec3, other: u32) -> bool {
    let [a, b, c] = mesh.faces.triangle_points(other as usize);
    low.cmple(a.max(b).max(c)).all() && high.cmpge(a.min(b).min(c)).all()
}

/// The polygon of each triangle, see [`SelfSearch`].
fn polygons(faces: &FaceSet) -> Vec<u32> {
    let mut apart = faces.apart_faces().iter().peekable();
    let mut polygons = Vec::with_capacity(faces.triangles().len());
    for face in 0..faces.face_count() as u32 {
        while apart.next_if(|range| range.end <= face).is_some() {}
        let parts = faces.triangles_of_face(face as usize).len();
        let polygon = match apart.peek() {
            Some(range) if range.contains(&face) => range.start,
            _ if parts > 1 => face,
            _ => NONE,
        };
        polygons.extend(std::iter::repeat_n(polygon, parts));
    }
    polygons
}

/// For each node the polygon that all triangles below it are parts of, [`NONE`] where there are several.
fn polygon_below(mesh: &Mesh, polygon: &[u32]) -> Vec<u32> {
    let tree = mesh.tree();
    if polygon.is_empty() {
        return Vec::new();
    }
    // Parents before children.
    let (mut order, mut k) = (vec![0_u32], 0);
    while let Some(node) = order.get(k).and_then(|&index| tree.nodes().get(index as usize)) {
        order.extend(node.child.iter().filter_map(|&child| match Child::decode(child) {
            Child::Inner(child) => Some(child),
            _ => None,
        }));
        k += 1;
    }
    let mut below = vec![NONE; tree.nodes().len()];
    for &index in order.iter().rev() {
        let Some(node) = tree.nodes().get(index as usize) else { continue };
        let mut all = node.child.iter().flat_map(|&child| match Child::decode(child) {
            Child::Inner(child) => vec![below[child as usize]],
            Child::Leaf { first, count } => {
                (first..first + count).map(|slot| polygon[tree.order()[slot as usize] as usize]).collect()
            }
            Child::Empty => Vec::new(),
        });
        let first = all.next().unwrap_or(NONE);
        below[index as usize] = if all.all(|other| other == first) { first } else { NONE };
    }
    below
}
