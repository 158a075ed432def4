//! Where candidates come from: pairs of overlapping boxes in pieces, by either way of searching.

use super::hash::Hashing;
use super::neighbourhood::Neighbourhood;
use super::options::{Method, Options};
use super::step::Step;
use crate::Kind;
use kontakt_bounds::Aabb;
use kontakt_broad::{BoxError, Boxes, Frame, Method as BoxMethod, Pairs};
use kontakt_math::DVec3;
use std::ops::ControlFlow;

/// A source of pairs that may touch: [place of a vertex in `used_vertices`, face] or [edge, later edge], each once.
#[derive(Debug)]
pub(crate) enum Candidates {
    Sorted(Pairs),
    /// Some of the features, and which: the first and the second of a pair.
    Chosen {
        pairs: Pairs,
        of: [Vec<u32>; 2],
    },
    Hashed(Hashing),
    AllPairs {
        kind: Kind,
        counts: [usize; 2],
    },
}

impl Candidates {
    pub(crate) fn new(step: &Step<'_>, kind: Kind, options: &Options) -> Candidates {
        let method = match options.method {
            Method::Cells => BoxMethod::Cells,
            Method::Sweep => BoxMethod::Sweep,
            Method::AllPairs => return Candidates::all(step, kind),
            Method::Hash { .. } => return Candidates::Hashed(Hashing::new(step, kind, options)),
        };
        // Boxes of finite places are never refused; should they be, everything is compared rather than something missed.
        sorted(step, kind, method, options.distance())
            .map_or_else(|_| Candidates::all(step, kind), Candidates::Sorted)
    }

    /// Pairs with a changed vertex are among them; others may be.
    pub(crate) fn of_changed(
        step: &Step<'_>,
        kind: Kind,
        options: &Options,
        near: &Neighbourhood,
    ) -> Candidates {
        let method = match options.method {
            Method::Cells => BoxMethod::Cells,
            Method::Sweep => BoxMethod::Sweep,
            Method::AllPairs | Method::Hash { .. } => return Candidates::new(step, kind, options),
        };
        chosen(step, kind, method, options.distance(), near)
            .unwrap_or_else(|_| Candidates::new(step, kind, options))
    }

    fn all(step: &Step<'_>, kind: Kind) -> Candidates {
        let surface = step.surface();
        let counts = match kind {
            Kind::VertexFace => [surface.used_vertices().len(), surface.triangles().len()],
            Kind::EdgeEdge => [surface.edges().len(); 2],
        };
        Candidates::AllPairs { kind, counts }
    }

    /// Pieces, which depend on the step and the method alone.
    pub(crate) fn pieces(&self) -> usize {
        match self {
            Candidates::Sorted(pairs) | Candidates::Chosen { pairs, .. } => pairs.pieces(),
            Candidates::Hashed(hashing) => hashing.pieces(),
            Candidates::AllPairs { counts, .. } => counts[0],
        }
    }

    /// Hands the pairs of a piece to `take`, at most `room` at a time, until it says stop.
    pub(crate) fn visit(
        &self,
        step: &Step<'_>,
        piece: usize,
        room: usize,
        mut take: impl FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Candidates::Sorted(pairs) => pairs.visit(piece, room, take),
            Candidates::Chosen { pairs, of } => {
                let mut named: Vec<[u32; 2]> = Vec::new();
                pairs.visit(piece, room, |some| {
                    named.clear();
                    named.extend(some.iter().map(|&[a, b]| [of[0][a as usize], of[1][b as usize]]));
                    take(&named)
                })
            }
            Candidates::Hashed(hashing) => hashing.visit(step, piece, room, take),
            Candidates::AllPairs { kind, counts } => {
                let first = if *kind == Kind::EdgeEdge { piece + 1 } else { 0 };
                (first..counts[1]).try_for_each(|other| take(&[[piece as u32, other as u32]]))
            }
        }
    }
}

/// Each box is grown by half the distance on all sides: features that come within it have boxes no farther apart along any axis.
fn sorted(step: &Step<'_>, kind: Kind, method: BoxMethod, distance: f64) -> Result<Pairs, BoxError> {
    let grow = |b: Aabb| grown(b, half(distance));
    let vertices = step.surface().used_vertices();
    let frame = Frame::around(vertices.iter().map(|&v| -> Aabb { grow(step.swept_box([v])) }));
    match kind {
        Kind::VertexFace => {
            let vertices = Boxes::new(frame, step.vertex_boxes().map(grow))?;
            let faces = Boxes::new(frame, step.face_boxes().map(grow))?;
            // Both are in the one frame.
            Pairs::between(&vertices, &faces, method).map_err(|_| BoxError::TooMany)
        }
        Kind::EdgeEdge => Ok(Pairs::within(&Boxes::new(frame, step.edge_boxes().map(grow))?, method)),
    }
}

/// Half a distance, and more than that where it is too small to halve.
pub(crate) fn half(distance: f64) -> f64 {
    if distance > 0.0 { (0.5 * distance).next_up() } else { 0.0 }
}

/// The same for the features of a neighbourhood.
fn chosen(
    step: &Step<'_>,
    kind: Kind,
    method: BoxMethod,
    distance: f64,
    near: &Neighbourhood,
) -> Result<Candidates, BoxError> {
    let choose = |boxes: &mut dyn Iterator<Item = Aabb>| -> (Vec<u32>, Vec<Aabb>) {
        let grown = boxes.map(|b| grown(b, half(distance))).enumerate();
        grown.filter(|(_, b)| near.may_meet(b)).map(|(i, b)| (i as u32, b)).unzip()
    };
    match kind {
        Kind::VertexFace => {
            let (vertices, vertex_boxes) = choose(&mut step.vertex_boxes());
            let (faces, face_boxes) = choose(&mut step.face_boxes());
            let frame = Frame::around(face_boxes.iter().chain(&vertex_boxes).copied());
            let (a, b) = (Boxes::new(frame, vertex_boxes)?, Boxes::new(frame, face_boxes)?);
            let pairs = Pairs::between(&a, &b, method).map_err(|_| BoxError::TooMany)?;
            Ok(Candidates::Chosen { pairs, of: [vertices, faces] })
        }
        Kind::EdgeEdge => {
            let (edges, boxes) = choose(&mut step.edge_boxes());
            let frame = Frame::around(boxes.iter().copied());
            let pairs = Pairs::within(&Boxes::new(frame, boxes)?, method);
            Ok(Candidates::Chosen { pairs, of: [edges.clone(), edges] })
        }
    }
}

/// The box with every side moved outward by a distance of at least 0, rounded outward; finite.
pub(crate) fn grown(b: Aabb, by: f64) -> Aabb {
    if by == 0.0 {
        return b;
    }
    let outward = |x: f64| x.clamp(f64::MIN, f64::MAX);
    Aabb {
        min: DVec3::from_array(b.min.to_array().map(|x| outward((x - by).next_down()))),
        max: DVec3::from_array(b.max.to_array().map(|x| outward((x + by).next_up()))),
    }
}
