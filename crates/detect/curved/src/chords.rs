//! How far a point over a face's triangles may be from the face: beyond one of its edges.

use crate::brep::Brep;
use crate::tessellate::Tessellation;
use kontakt_math::DVec3;

/// A chord of an edge that borders a face.
#[derive(Clone, Copy, Debug)]
struct Chord {
    ends: [DVec3; 2],
    /// Parameters of the edge at its ends.
    over: [f64; 2],
    edge: u32,
    /// Whether the face is to the left of the edge, seen from outside.
    forward: bool,
    /// No point of the surface between the edge and what the chord is mapped to is farther from the chord.
    reach: f64,
}

/// The chords of every face's edges; seams have the face on both sides and are none of them.
#[derive(Debug)]
pub(crate) struct Chords {
    of_face: Vec<Vec<Chord>>,
}

impl Chords {
    pub(crate) fn of(made: &Tessellation, brep: &Brep) -> Chords {
        let users = brep.faces_of_edges();
        let mut bends = vec![0.0_f64; brep.faces().len()];
        for (face, deviation) in made.faces.iter().zip(&made.deviations) {
            bends[*face as usize] = bends[*face as usize].max(*deviation);
        }
        let mut of_face = vec![Vec::new(); brep.faces().len()];
        for (ids, stretch) in made.stretches() {
            let ends = [ids.0, ids.1].map(|id| made.points[id as usize]);
            let sagitta = stretch.sagitta(brep.edges());
            let uses = &users[stretch.edge as usize];
            for &(face, forward) in uses {
                let is_seam = uses.iter().filter(|(other, _)| *other == face).count() > 1;
                let reach = 2.0 * (sagitta + bends[face]) + made.gap;
                if !is_seam {
                    let over = [stretch.from, stretch.to];
                    of_face[face].push(Chord { ends, over, edge: stretch.edge, forward, reach });
                }
            }
        }
        Chords { of_face }
    }

    /// How far a point of the surface over a face's triangles may be from the face.
    ///
    /// What is farther from every chord than slivers reach is inside. Else the nearest point of an edge tells: on its left the point is
    /// inside, since nothing of the border is nearer; else, or where the edge ends, the edge is as near as that, and its points belong
    /// to the face.
    pub(crate) fn beyond(&self, made: &Tessellation, brep: &Brep, face: u32, point: DVec3) -> f64 {
        let candidates = self.of_face[face as usize].iter().filter_map(|chord| {
            let (away, share) = from_segment(chord.ends, point);
            (away <= chord.reach).then(|| chord.foot(brep, point, share))
        });
        let Some((away, t, chord)) = candidates.min_by(|a, b| a.0.total_cmp(&b.0)) else { return 0.0 };
        let edge = &brep.edges()[chord.edge as usize];
        let [from, to] = edge.range;
        let margin = 1e-6 * (to - from);
        let inner = edge.ends[0] == edge.ends[1] || (from + margin < t && t < to - margin);
        let jet = edge.curve.jet(t);
        let domain = &made.domains[face as usize];
        let normal = domain.invert(point, None).map(|at| domain.normal(at)).and_then(DVec3::try_normalize);
        let sign = if made.outward[face as usize] == chord.forward { 1.0 } else { -1.0 };
        let is_left = normal.is_some_and(|normal| (point - jet.point).dot(normal.cross(jet.d1)) * sign > 0.0);
        if inner && is_left { 0.0 } else { away + made.gap }
    }
}

impl Chord {
    /// The nearest point of the edge, near a share of the chord: how far it is, and its parameter.
    fn foot(&self, brep: &Brep, point: DVec3, share: f64) -> (f64, f64, &Chord) {
        let edge = &brep.edges()[self.edge as usize];
        let guess = self.over[0] + (self.over[1] - self.over[0]) * share;
        let found = edge.curve.invert_near(point, Some(guess)).unwrap_or(guess);
        let t = found.clamp(edge.range[0], edge.range[1]);
        let off = |t: f64| (edge.curve.point(t) - point).length();
        if off(t) <= off(guess) { (off(t), t, self) } else { (off(guess), guess, self) }
    }
}

/// How far a point is from a stretch, and at which share of it.
fn from_segment([a, b]: [DVec3; 2], point: DVec3) -> (f64, f64) {
    let way = b - a;
    let share = ((point - a).dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    ((a + way * share - point).length(), share)
}
