//! Edges as chains of points that the faces on both sides share.

use super::{Limits, TessellateError};
use crate::brep::{Brep, Edge};
use crate::curve::Curve;
use crate::sliver::Sliver;
use crate::stretch::Stretch;
use kontakt_math::DVec3;
use kontakt_schedule::Pacer;
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_4;

/// A piece of a chain: the edge, and the number of the piece along it.
pub(super) type Piece = (u32, u32);

/// One edge cut into pieces.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) parameters: Vec<f64>,
    /// Indices of points, one per parameter.
    pub(super) points: Vec<u32>,
    /// Never less than the distance of the curve from its chords.
    deviation: f64,
}

/// All edges of a body cut into pieces; the body's vertices are the first points.
#[derive(Debug)]
pub(super) struct Chains {
    positions: Vec<DVec3>,
    of_edges: Vec<Chain>,
    /// The largest distance of a vertex from an edge's end, and where that is.
    gap: (f64, DVec3),
    /// Faces that use each edge.
    users: Vec<Vec<(usize, bool)>>,
}

impl Chains {
    /// Cuts all edges so that chords are within the deviation of them, unless that takes more points than allowed.
    pub(super) fn new(
        brep: &Brep,
        Limits { deviation, most, deadline }: Limits,
    ) -> Result<Chains, TessellateError> {
        let mut pacer = deadline.pacer();
        let mut all = Chains {
            positions: brep.vertices().to_vec(),
            of_edges: Vec::with_capacity(brep.edges().len()),
            gap: (0.0, DVec3::ZERO),
            users: brep.faces_of_edges(),
        };
        for edge in brep.edges() {
            let parameters = cuts(edge, deviation, most, &mut pacer)?;
            let last = parameters.len() - 1;
            let points = parameters.iter().enumerate().map(|(k, &t)| match k {
                0 => edge.ends[0],
                k if k == last => edge.ends[1],
                _ => {
                    all.positions.push(edge.curve.point(t));
                    all.positions.len() as u32 - 1
                }
            });
            let points: Vec<u32> = points.collect();
            for (end, t) in [(edge.ends[0], parameters[0]), (edge.ends[1], parameters[last])] {
                let vertex = all.positions[end as usize];
                let off = (vertex - edge.curve.point(t)).length();
                if off > all.gap.0 {
                    all.gap = (off, vertex);
                }
            }
            let mut chain = Chain { parameters, points, deviation: 0.0 };
            chain.measure(&edge.curve);
            all.of_edges.push(chain);
            if all.positions.len() > most {
                return Err(TessellateError::TooMany(most));
            }
        }
        Ok(all)
    }

    pub(super) fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    pub(super) fn chain(&self, edge: u32) -> &Chain {
        &self.of_edges[edge as usize]
    }

    pub(super) fn gap(&self) -> (f64, DVec3) {
        self.gap
    }

    /// **Never less** than the distance of any edge from its chords.
    pub(super) fn deviation(&self) -> f64 {
        let chords = self.of_edges.iter().map(|chain| chain.deviation).fold(0.0, f64::max);
        chords + self.gap.0
    }

    /// The stretches of edges between neighbouring points, the lesser index first.
    pub(super) fn chords(&self) -> HashMap<(u32, u32), Vec<Stretch>> {
        let mut chords: HashMap<(u32, u32), Vec<Stretch>> = HashMap::new();
        for (edge, chain) in (0..).zip(&self.of_edges) {
            for (ids, t) in chain.points.windows(2).zip(chain.parameters.windows(2)) {
                let ([one, other], [from, to]) = ([ids[0], ids[1]], [t[0], t[1]]);
                let stretch = if one < other {
                    Stretch { edge, from, to, sliver: Sliver::USUAL }
                } else {
                    Stretch { edge, from: to, to: from, sliver: Sliver::USUAL }
                };
                chords.entry((one.min(other), one.max(other))).or_default().push(stretch);
            }
        }
        chords
    }

    /// Halves pieces, and tells which faces use them.
    pub(super) fn refine(&mut self, brep: &Brep, pieces: &[Piece]) -> Vec<u32> {
        let mut pieces = pieces.to_vec();
        pieces.sort_unstable();
        pieces.dedup();
        let mut faces = Vec::new();
        // From the last piece of an edge to its first, so that numbers stay right.
        for &(edge, piece) in pieces.iter().rev() {
            let curve = &brep.edges()[edge as usize].curve;
            let chain = &mut self.of_edges[edge as usize];
            let at = piece as usize;
            let middle = 0.5 * (chain.parameters[at] + chain.parameters[at + 1]);
            if !(chain.parameters[at] < middle && middle < chain.parameters[at + 1]) {
                continue;
            }
            chain.parameters.insert(at + 1, middle);
            chain.points.insert(at + 1, self.positions.len() as u32);
            self.positions.push(curve.point(middle));
            faces.extend(self.users[edge as usize].iter().map(|user| user.0 as u32));
        }
        for edge in pieces.iter().map(|piece| piece.0 as usize) {
            self.of_edges[edge].measure(&brep.edges()[edge].curve);
        }
        faces.sort_unstable();
        faces.dedup();
        faces
    }
}

impl Chain {
    fn measure(&mut self, curve: &Curve) {
        let chords = self.parameters.windows(2).map(|pair| curve.sagitta(pair[0], pair[1]));
        self.deviation = chords.fold(0.0, f64::max);
    }
}

/// Parameters that cut an edge into pieces near enough to their chords.
fn cuts(edge: &Edge, deviation: f64, most: usize, pacer: &mut Pacer) -> Result<Vec<f64>, TessellateError> {
    let [from, to] = edge.range;
    let mut cuts = vec![from];
    let mut open = first_pieces(edge, deviation);
    open.reverse();
    while let Some((a, b)) = open.pop() {
        pacer.tick()?;
        let middle = 0.5 * (a + b);
        if edge.curve.sagitta(a, b) > deviation && a < middle && middle < b {
            open.push((middle, b));
            open.push((a, middle));
        } else {
            cuts.push(b);
        }
        if cuts.len() + open.len() > most {
            return Err(TessellateError::TooMany(most));
        }
    }
    if let Some(last) = cuts.last_mut() {
        *last = to;
    }
    Ok(cuts)
}

/// Pieces to begin with: as many equal ones of an ellipse as are needed, a span of a B-spline each, at least four of an edge that closes.
fn first_pieces(edge: &Edge, deviation: f64) -> Vec<(f64, f64)> {
    let [from, to] = edge.range;
    let mut stops = match &edge.curve {
        Curve::Line { .. } => vec![from, to],
        Curve::Ellipse { radii, .. } => {
            let step = (7.99 * deviation / radii[0].max(radii[1])).sqrt().min(FRAC_PI_4);
            even(from, to, ((to - from) / step).ceil().clamp(1.0, 1e6) as usize)
        }
        Curve::Nurbs(curve) => {
            let inner = curve.breaks().iter().copied().filter(|&t| from < t && t < to);
            std::iter::once(from).chain(inner).chain(std::iter::once(to)).collect()
        }
    };
    if edge.ends[0] == edge.ends[1] {
        while stops.len() < 5 {
            stops =
                stops.windows(2).flat_map(|pair| [pair[0], 0.5 * (pair[0] + pair[1])]).chain([to]).collect();
        }
    }
    stops.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn even(from: f64, to: f64, pieces: usize) -> Vec<f64> {
    (0..=pieces).map(|k| from + (to - from) * k as f64 / pieces as f64).collect()
}
