//! The curves in which two surfaces cross, in general position, and the parts into which they cut the surfaces.

use super::piercing::{edge_points, surfaces, vertex_inside};
use crate::face::{Meeting, meeting};
use crate::face_pair::FacePair;
use crate::space::{Space, height, plane_through};
use kontakt_answers::{Side, Visits};
use kontakt_math::{Dyadic, Sign};
use kontakt_shapes::DisjointSets;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const SIDES: [Side; 2] = [Side::A, Side::B];

/// Where an edge of one body goes through a face of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Event {
    /// Whose edge.
    side: usize,
    /// Places of its ends, smaller first.
    edge: [u32; 2],
    /// The other body's face.
    face: u32,
}

/// All crossings of edges and faces; each crossing pair of faces joins two of them by a segment.
pub(super) struct Curves {
    events: Vec<Event>,
    /// The two events of each pair.
    segments: Vec<(FacePair, [u32; 2])>,
    /// Events of each cut edge in order from its smaller to its larger place.
    along: [BTreeMap<[u32; 2], Vec<u32>>; 2],
}

/// A surface cut by the curves: nodes are places and, between two events of one edge, arcs.
struct Cut {
    parts: DisjointSets,
    /// The nodes before and after each event of this body's edges, from smaller to larger place.
    beside: HashMap<u32, [u32; 2]>,
    /// Whether each node is inside the other body.
    inside: Vec<bool>,
    /// Some place of the surface that each node belongs to; `u32::MAX` for places no face uses.
    home: Vec<u32>,
}

impl Curves {
    /// `None` when the bodies are not in general position: a pair only touches, or an edge meets an edge.
    pub(super) fn new(space: &Space, pairs: &[FacePair]) -> Option<Curves> {
        let mut ids: HashMap<Event, u32> = HashMap::new();
        let mut events = Vec::new();
        let mut segments = Vec::with_capacity(pairs.len());
        let mut visits = Visits::default();
        for pair in pairs {
            let a = space.mesh(Side::A).faces().triangle_points(pair.a as usize);
            let b = space.mesh(Side::B).faces().triangle_points(pair.b as usize);
            if !space.goes_on() || meeting(&space.between, a, b, &mut visits) != Meeting::Crossing {
                return None;
            }
            let mut ends = Vec::with_capacity(2);
            for (side, face, other) in [(Side::A, pair.a, pair.b), (Side::B, pair.b, pair.a)] {
                for edge in edges(space, side, face) {
                    if pierces(space, side, edge, other)? {
                        let event = Event { side: side as usize, edge, face: other };
                        ends.push(*ids.entry(event).or_insert_with(|| {
                            events.push(event);
                            events.len() as u32 - 1
                        }));
                    }
                }
            }
            let [from, to] = ends.as_slice() else { return None };
            segments.push((*pair, [*from, *to]));
        }
        let mut curves = Curves { events, segments, along: [BTreeMap::new(), BTreeMap::new()] };
        curves.sort_along(space)?;
        Some(curves)
    }

    /// Groups events by edge, in order along it; `None` when two are at the same point.
    fn sort_along(&mut self, space: &Space) -> Option<()> {
        for (id, event) in self.events.iter().enumerate() {
            self.along[event.side].entry(event.edge).or_default().push(id as u32);
        }
        for side in SIDES {
            let mut lists = std::mem::take(&mut self.along[side as usize]);
            for (edge, list) in &mut lists {
                if list.len() < 2 {
                    continue;
                }
                let mut placed: Vec<([Dyadic; 2], u32)> = list
                    .iter()
                    .map(|&id| (parameter(space, side, *edge, self.events[id as usize].face), id))
                    .collect();
                let order = |p: &[Dyadic; 2], q: &[Dyadic; 2]| (&p[0] * &q[1]).cmp(&(&q[0] * &p[1]));
                placed.sort_by(|p, q| order(&p.0, &q.0));
                if placed.windows(2).any(|w| order(&w[0].0, &w[1].0) == Ordering::Equal) {
                    return None;
                }
                *list = placed.into_iter().map(|(_, id)| id).collect();
            }
            self.along[side as usize] = lists;
        }
        Some(())
    }

    /// Whether one of the bodies is cut into pieces by the other; `None` when a crossed edge has more than two faces, or curves
    /// lie within single faces in other ways than one in a face that is outside the other body all round.
    pub(super) fn pierced(&self, space: &Space) -> Option<bool> {
        let mut cuts = [self.cut(space, Side::A)?, self.cut(space, Side::B)?];
        let mut loops = DisjointSets::new(self.events.len());
        for (_, [from, to]) in &self.segments {
            loops.join(*from, *to);
        }
        let holes = [
            self.holes(space, Side::A, &cuts[0], &mut loops)?,
            self.holes(space, Side::B, &cuts[1], &mut loops)?,
        ];
        Some(
            SIDES
                .into_iter()
                .any(|side| self.is_pierced(space, side, &mut cuts, &mut loops, &holes[side as usize])),
        )
    }

    /// Cuts a surface along the curves.
    fn cut(&self, space: &Space, side: Side) -> Option<Cut> {
        let mesh = space.mesh(side);
        let places = mesh.faces().vertices().len();
        let along = &self.along[side as usize];
        let arcs: usize = along.values().map(|list| list.len() - 1).sum();
        let mut parts = DisjointSets::new(places + arcs);
        let mut beside = HashMap::new();
        let mut home: Vec<u32> = vec![u32::MAX; places];
        // (node, place at the edge's start, odd number of events between).
        let mut flips = Vec::with_capacity(arcs);
        for (edge, list) in along {
            let mut before = edge[0];
            for (k, &id) in list.iter().enumerate() {
                let after = if k + 1 == list.len() {
                    edge[1]
                } else {
                    home.push(edge[0]);
                    flips.push((edge[0], k % 2 == 0));
                    home.len() as u32 - 1
                };
                beside.insert(id, [before, after]);
                before = after;
            }
        }
        let chords = self.segments_by_face(side);
        for face in 0..mesh.faces().triangles().len() as u32 {
            let corners = mesh.faces().triangles()[face as usize].map(|v| mesh.solid().place(v));
            for place in corners {
                home[place as usize] = place;
            }
            let rim = self.rim(side, corners, &beside, &mut parts);
            if let Some(segments) = chords.get(&face) {
                join_across(segments, &rim, &mut parts)?;
            }
        }
        let mut known: HashMap<u32, bool> = HashMap::new();
        let mut inside = vec![false; home.len()];
        for place in 0..places as u32 {
            if home[place as usize] != u32::MAX {
                let root = parts.root(place);
                inside[place as usize] =
                    *known.entry(root).or_insert_with(|| vertex_inside(space, side, place));
            }
        }
        for (k, (start, odd)) in flips.into_iter().enumerate() {
            inside[places + k] = inside[start as usize] ^ odd;
        }
        Some(Cut { parts, beside, inside, home })
    }

    fn segments_by_face(&self, side: Side) -> BTreeMap<u32, Vec<[u32; 2]>> {
        let mut lists: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
        for (pair, ends) in &self.segments {
            lists.entry(if side == Side::A { pair.a } else { pair.b }).or_default().push(*ends);
        }
        lists
    }

    /// The events round a face with the nodes before and after each; corners without an event between them are joined.
    fn rim(
        &self,
        side: Side,
        corners: [u32; 3],
        beside: &HashMap<u32, [u32; 2]>,
        parts: &mut DisjointSets,
    ) -> Vec<(u32, [u32; 2])> {
        let mut rim = Vec::new();
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            match self.along[side as usize].get(&[from.min(to), from.max(to)]) {
                None => parts.join(from, to),
                Some(list) if from < to => rim.extend(list.iter().map(|id| (*id, beside[id]))),
                Some(list) => rim.extend(list.iter().rev().map(|id| (*id, [beside[id][1], beside[id][0]]))),
            }
        }
        rim
    }

    fn is_pierced(
        &self,
        space: &Space,
        side: Side,
        cuts: &mut [Cut; 2],
        loops: &mut DisjointSets,
        holes: &[(u32, u32)],
    ) -> bool {
        let (own, other) = (side as usize, side.other() as usize);
        let offset = cuts[own].home.len() as u32;
        let curves = offset + cuts[other].home.len() as u32;
        let mut regions = DisjointSets::new(curves as usize + self.events.len());
        for node in 0..offset {
            let root = cuts[own].parts.root(node);
            regions.join(node, root);
        }
        for node in 0..curves - offset {
            let root = cuts[other].parts.root(node);
            regions.join(offset + node, offset + root);
        }
        for (id, event) in self.events.iter().enumerate() {
            let curve = loops.root(id as u32);
            let Some(nodes) = cuts[event.side].beside.get(&(id as u32)) else { continue };
            // Of the own surface the part outside the other body, of the other surface the part inside the own body.
            let wanted = event.side == other;
            if let Some(&node) = nodes.iter().find(|&&n| cuts[event.side].inside[n as usize] == wanted) {
                regions.join(curves + curve, if wanted { offset + node } else { node });
            }
        }
        for &(curve, corner) in holes {
            regions.join(curves + curve, corner);
        }
        let mut surfaces = surfaces(space, side);
        let mut pieces: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for node in 0..offset {
            let home = cuts[own].home[node as usize];
            if home != u32::MAX && !cuts[own].inside[node as usize] {
                pieces.entry(surfaces.root(home)).or_default().insert(regions.root(node));
            }
        }
        pieces.values().any(|roots| roots.len() > 1)
    }

    /// Curves that meet no edge of a body stay inside one of its faces: each with a corner of the face, whose part of the
    /// surface it borders. `None` unless each is alone in its face and the face's rim is whole and outside the other
    /// body, so that what the curve encloses is inside it: then no part of the surface is without a corner that matters.
    fn holes(
        &self,
        space: &Space,
        side: Side,
        cut: &Cut,
        loops: &mut DisjointSets,
    ) -> Option<Vec<(u32, u32)>> {
        let mut reached = vec![false; self.events.len()];
        for (id, event) in self.events.iter().enumerate() {
            reached[loops.root(id as u32) as usize] |= event.side == side as usize;
        }
        let mesh = space.mesh(side);
        let mut holes: BTreeMap<u32, u32> = BTreeMap::new();
        for (pair, [event, _]) in &self.segments {
            let curve = loops.root(*event);
            if reached[curve as usize] {
                continue;
            }
            let face = if side == Side::A { pair.a } else { pair.b };
            if *holes.entry(face).or_insert(curve) != curve {
                return None;
            }
        }
        let corner = |(face, curve): (u32, u32)| {
            let corners = mesh.faces().triangles()[face as usize].map(|v| mesh.solid().place(v));
            let whole = (0..3).all(|k| {
                let (p, q) = (corners[k], corners[(k + 1) % 3]);
                !self.along[side as usize].contains_key(&[p.min(q), p.max(q)])
            });
            (whole && !cut.inside[corners[0] as usize]).then_some((curve, corners[0]))
        };
        holes.into_iter().map(corner).collect()
    }
}

/// Follows the curves through a face from rim to rim and joins the parts of the rim that they do not separate: a curve from
/// event i to event j has the rim after i and before j on one side, after j and before i on the other.
fn join_across(segments: &[[u32; 2]], rim: &[(u32, [u32; 2])], parts: &mut DisjointSets) -> Option<()> {
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    for (k, ends) in segments.iter().enumerate() {
        for &event in ends {
            at.entry(event).or_default().push(k);
        }
    }
    let place: HashMap<u32, usize> = rim.iter().enumerate().map(|(k, entry)| (entry.0, k)).collect();
    for (start, sides) in rim {
        let [mut segment] = *at.get(start)?.as_slice() else { return None };
        let mut event = *start;
        for _ in 0..=segments.len() {
            event = if segments[segment][0] == event { segments[segment][1] } else { segments[segment][0] };
            if place.contains_key(&event) {
                break;
            }
            let [first, second] = *at.get(&event)?.as_slice() else { return None };
            segment = if first == segment { second } else { first };
        }
        let end = rim[*place.get(&event)?].1;
        parts.join(sides[1], end[0]);
        parts.join(sides[0], end[1]);
    }
    Some(())
}

/// The edges of a face, by places.
fn edges(space: &Space, side: Side, face: u32) -> [[u32; 2]; 3] {
    let mesh = space.mesh(side);
    let places = mesh.faces().triangles()[face as usize].map(|v| mesh.solid().place(v));
    std::array::from_fn(|k| {
        let (p, q) = (places[k], places[(k + 1) % 3]);
        [p.min(q), p.max(q)]
    })
}

/// Whether an edge goes through the inside of a face of the other body; `None` when it meets the face's rim or ends in its
/// plane within the face.
fn pierces(space: &Space, side: Side, edge: [u32; 2], face: u32) -> Option<bool> {
    let [p, q] = edge_points(space, side, edge).map(|x| space.spot(side, x));
    let [a, b, c] = space.corners(side.other(), face);
    let ends = [space.orient(&a, &b, &c, &p), space.orient(&a, &b, &c, &q)];
    if ends[0] == ends[1] && ends[0] != Sign::Zero {
        return Some(false);
    }
    let passes = [(&a, &b), (&b, &c), (&c, &a)].map(|(v, w)| space.orient(&p, &q, v, w));
    if passes.contains(&Sign::Positive) && passes.contains(&Sign::Negative) {
        return Some(false);
    }
    let general = !ends.contains(&Sign::Zero) && !passes.contains(&Sign::Zero);
    general.then_some(true)
}

/// How far along an edge it crosses the plane of a face, as a ratio with a positive denominator.
fn parameter(space: &Space, side: Side, edge: [u32; 2], face: u32) -> [Dyadic; 2] {
    let [p, q] = edge_points(space, side, edge).map(|x| space.exact(&space.spot(side, x)));
    let corners = space.corners(side.other(), face);
    let [a, b, c] = [0, 1, 2].map(|k: usize| space.exact(&corners[k]));
    let plane = plane_through(&a, &b, &c);
    // Heights carry the weights of p and q, which are those of one body and so the same.
    let (from, to) = (height(&plane, &p), height(&plane, &q));
    let span = &from - &to;
    if span.sign() == Sign::Negative { [-from, -span] } else { [from, span] }
}
