//! The common part of two convex facets seen along the normal, every corner named by what meets there.

use super::facet::Facet;
use kontakt_answers::Feature;
use kontakt_math::{DVec2, DVec3};

/// A corner seen along the normal: where, how high, which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) at: DVec2,
    pub(crate) height: f64,
    pub(crate) id: u32,
}

impl Seen {
    fn place(&self) -> DVec3 {
        self.at.extend(self.height)
    }
}

/// A facet seen along the normal: its corners counter-clockwise, or the two ends of an edge.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub(crate) corners: Vec<Seen>,
    pub(crate) face: Feature,
}

impl Default for Outline {
    /// Of nothing.
    fn default() -> Outline {
        Outline { corners: Vec::new(), face: Feature::Face(0) }
    }
}

impl Outline {
    /// Of a facet's corners, seen in their order, with lengths up to `slack` taken for none: corners in one place are one, corners
    /// on a line its ends. A facet seen from its side has no outline: no corners. Takes the place of an old one.
    pub(crate) fn draw(&mut self, facet: &Facet, corners: impl Iterator<Item = Seen>, slack: f64) {
        let apart = |p: &Seen, q: &Seen| p.place().distance(q.place()) > slack;
        let kept = &mut self.corners;
        kept.clear();
        for corner in corners {
            if kept.last().is_none_or(|last| apart(last, &corner)) {
                kept.push(corner);
            }
        }
        while kept.len() > 1 && !apart(&kept[0], &kept[kept.len() - 1]) {
            kept.pop();
        }
        drop_slivers(kept, slack);
        if doubled_area(kept) < 0.0 {
            kept.reverse();
        }
        self.face = match kept[..] {
            [only] => Feature::Vertex(only.id),
            [one, other] => Feature::edge(one.id, other.id),
            _ => Feature::Face(facet.face),
        };
    }

    fn is_edge(&self) -> bool {
        self.corners.len() == 2
    }

    /// The edge that starts at a corner.
    fn edge(&self, k: usize) -> Feature {
        Feature::edge(self.corners[k].id, self.corners[(k + 1) % self.corners.len()].id)
    }
}

/// Leaves three or more corners as they are, or the ends of the line they lie on within `slack`, or none where they only seem to.
fn drop_slivers(corners: &mut Vec<Seen>, slack: f64) {
    let farthest = |from: DVec2| {
        let distance = |corner: &&Seen| corner.at.distance_squared(from);
        corners.iter().max_by(|p, q| distance(p).total_cmp(&distance(q))).copied()
    };
    let one = corners.first().and_then(|first| farthest(first.at));
    let other = one.and_then(|one| farthest(one.at));
    let (3.., Some(one), Some(other)) = (corners.len(), one, other) else { return };
    let along = (other.place() - one.place()).normalize_or_zero();
    let seen_along = (other.at - one.at).normalize_or_zero();
    let seems_on_line = |corner: &Seen| seen_along.perp_dot(corner.at - one.at).abs() <= slack;
    let on_line = |corner: &Seen| along.cross(corner.place() - one.place()).length() <= slack;
    if !corners.iter().all(seems_on_line) {
        return;
    }
    let is_line = corners.iter().all(on_line);
    corners.clear();
    if is_line {
        corners.extend([one, other]);
    }
}

/// Twice the area of a polygon, positive when it runs counter-clockwise.
fn doubled_area(corners: &[Seen]) -> f64 {
    let Some((first, rest)) = corners.split_first() else { return 0.0 };
    rest.windows(2).map(|pair| (pair[0].at - first.at).perp_dot(pair[1].at - first.at)).sum()
}

/// A corner of the common part: where, and what meets there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    pub(crate) at: DVec2,
    pub(crate) a: Feature,
    pub(crate) b: Feature,
}

/// Memory for cutting one outline by another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts {
    piece: Vec<Step>,
    left: Vec<Step>,
    /// The corners of the common part.
    pub(crate) crossings: Vec<Crossing>,
}

impl Cuts {
    /// Finds the corners of the common part of two outlines, within `slack` (a length, the error of the corners): none or one for edges
    /// that cross, up to two for an edge and anything, else a polygon.
    pub(crate) fn common_part(&mut self, a: &Outline, b: &Outline, slack: f64) {
        self.crossings.clear();
        match (a.is_edge(), b.is_edge()) {
            (true, true) => self.crossings.extend(edges(a, b, slack).into_iter().flatten()),
            (true, false) => {
                self.clip(b, a, slack);
                for crossing in &mut self.crossings {
                    *crossing = Crossing { a: crossing.b, b: crossing.a, ..*crossing };
                }
            }
            _ => self.clip(a, b, slack),
        }
        thin_out(&mut self.crossings, slack);
    }

    /// The part of `subject` inside of the polygon `window`, cut edge by edge.
    fn clip(&mut self, window: &Outline, subject: &Outline, slack: f64) {
        let Cuts { piece, left, crossings } = self;
        piece.clear();
        piece.extend(subject.corners.iter().enumerate().map(|(k, seen)| Step {
            corner: Crossing { at: seen.at, a: window.face, b: Feature::Vertex(seen.id) },
            onward: Line::Subject(subject.edge(k)),
        }));
        for k in 0..window.corners.len() {
            left.clear();
            cut(window, k, subject, piece, slack, left);
            std::mem::swap(piece, left);
        }
        crossings.extend(piece.iter().map(|step| step.corner));
    }
}

/// Drops corners that coincide with an earlier one.
fn thin_out(crossings: &mut Vec<Crossing>, slack: f64) {
    let mut count = 0;
    for k in 0..crossings.len() {
        let crossing = crossings[k];
        if crossings[..count].iter().all(|other| other.at.distance_squared(crossing.at) > slack * slack) {
            crossings[count] = crossing;
            count += 1;
        }
    }
    crossings.truncate(count);
}

/// A corner of the piece that is left, and the line that leads on to the next.
#[derive(Clone, Copy, Debug)]
struct Step {
    corner: Crossing,
    onward: Line,
}

/// On which outline a line of the piece lies, and which of its edges it is.
#[derive(Clone, Copy, Debug)]
enum Line {
    /// Edge k of the window.
    Window(usize),
    Subject(Feature),
}

/// Puts what is left of the piece on the inner side of edge k of the window into `left`. An edge is walked there and back; the
/// way back repeats its ends, which are dropped later.
fn cut(window: &Outline, k: usize, subject: &Outline, piece: &[Step], slack: f64, left: &mut Vec<Step>) {
    let from = window.corners[k].at;
    let along = window.corners[(k + 1) % window.corners.len()].at - from;
    let length = along.length();
    let depth_of = |at: DVec2| along.perp_dot(at - from) / length;
    for (i, step) in piece.iter().enumerate() {
        let next = &piece[(i + 1) % piece.len()];
        let (here, there) = (depth_of(step.corner.at), depth_of(next.corner.at));
        let (inside, stays) = (here >= -slack, there >= -slack);
        if inside {
            left.push(*step);
        }
        if inside != stays {
            let at = step.corner.at + (next.corner.at - step.corner.at) * (here / (here - there));
            let (a, b) = match step.onward {
                Line::Subject(edge) => (window.edge(k), edge),
                // Two edges of the window meet in the corner between them, over the subject's face.
                Line::Window(other) => (corner_between(window, other, k), subject.face),
            };
            let onward = if inside { Line::Window(k) } else { step.onward };
            left.push(Step { corner: Crossing { at, a, b }, onward });
        }
    }
}

/// The corner where two edges of the window meet, or their first edge where they do not (slivers).
fn corner_between(window: &Outline, one: usize, other: usize) -> Feature {
    let count = window.corners.len();
    if (one + 1) % count == other {
        Feature::Vertex(window.corners[other].id)
    } else if (other + 1) % count == one {
        Feature::Vertex(window.corners[one].id)
    } else {
        window.edge(other)
    }
}

/// Two edges: the ends of their common part where they lie on one line, within the slack; none where they cross.
fn edges(a: &Outline, b: &Outline, slack: f64) -> Option<[Crossing; 2]> {
    let ([a0, a1], [b0, b1]) = ([a.corners[0], a.corners[1]], [b.corners[0], b.corners[1]]);
    let (along_a, along_b) = (a1.at - a0.at, b1.at - b0.at);
    let (length_a, length_b) = (along_a.length(), along_b.length());
    if length_a <= slack || length_b <= slack {
        return None;
    }
    let unit = along_a / length_a;
    // Ends of B in the coordinates of A's line: along and beside.
    let place = |p: DVec2| DVec2::new(unit.dot(p - a0.at), unit.perp_dot(p - a0.at));
    let (p, q) = (place(b0.at), place(b1.at));
    let flip = p.x > q.x;
    let (low, high) = if flip { (q, p) } else { (p, q) };
    let (id_low, id_high) = if flip { (b1.id, b0.id) } else { (b0.id, b1.id) };
    let (start, end) = (low.x.max(0.0), high.x.min(length_a));
    let beside = |x: f64| {
        let share = if high.x > low.x { (x - low.x) / (high.x - low.x) } else { 0.0 };
        low.y + (high.y - low.y) * share
    };
    if start > end || beside(start).abs() > slack || beside(end).abs() > slack {
        return None;
    }
    let named = |x: f64, at_end_of_a: bool, id_a: u32, id_b: u32| {
        let (a, b) =
            if at_end_of_a { (Feature::Vertex(id_a), b.face) } else { (a.face, Feature::Vertex(id_b)) };
        Crossing { at: a0.at + unit * x, a, b }
    };
    Some([named(start, low.x < 0.0, a0.id, id_low), named(end, high.x > length_a, a1.id, id_high)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common_part(a: &Outline, b: &Outline, slack: f64) -> Vec<Crossing> {
        let mut cuts = Cuts::default();
        cuts.common_part(a, b, slack);
        cuts.crossings
    }

    fn outline(points: &[[f64; 2]], first_id: u32) -> Outline {
        let seen = |(&at, id): (&[f64; 2], u32)| Seen { at: DVec2::from_array(at), height: 0.0, id };
        let corners = points.iter().zip(first_id..).map(seen).collect();
        let face = if points.len() == 2 { Feature::edge(first_id, first_id + 1) } else { Feature::Face(9) };
        Outline { corners, face }
    }

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    #[test]
    fn two_squares_at_a_corner() {
        let shifted = SQUARE.map(|[x, y]| [x + 1.0, y + 1.0]);
        let mut found = common_part(&outline(&SQUARE, 0), &outline(&shifted, 10), 1e-12);
        found.sort_by(|p, q| (p.at.x, p.at.y).partial_cmp(&(q.at.x, q.at.y)).unwrap());
        let expected = [
            ([1.0, 1.0], Feature::Face(9), Feature::Vertex(10)),
            ([1.0, 2.0], Feature::edge(2, 3), Feature::edge(10, 13)),
            ([2.0, 1.0], Feature::edge(1, 2), Feature::edge(10, 11)),
            ([2.0, 2.0], Feature::Vertex(2), Feature::Face(9)),
        ];
        assert_eq!(found.len(), 4);
        for (crossing, (at, a, b)) in found.iter().zip(expected) {
            assert_eq!((crossing.at, crossing.a, crossing.b), (DVec2::from_array(at), a, b));
        }
    }

    #[test]
    fn equal_squares_keep_their_four_corners() {
        let found = common_part(&outline(&SQUARE, 0), &outline(&SQUARE, 10), 1e-12);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|crossing| matches!(crossing.b, Feature::Vertex(_))), "{found:?}");
    }

    #[test]
    fn an_edge_over_a_square() {
        let edge = outline(&[[-1.0, 1.0], [1.0, 1.0]], 10);
        for swap in [false, true] {
            let square = outline(&SQUARE, 0);
            let found =
                if swap { common_part(&edge, &square, 1e-12) } else { common_part(&square, &edge, 1e-12) };
            assert_eq!(found.len(), 2, "{found:?}");
            let mut xs: Vec<f64> = found.iter().map(|crossing| crossing.at.x).collect();
            xs.sort_by(f64::total_cmp);
            assert_eq!(xs, [0.0, 1.0]);
        }
    }

    #[test]
    fn edges_on_a_line_have_two_ends_and_crossing_ones_none() {
        let one = outline(&[[0.0, 0.0], [4.0, 0.0]], 0);
        let along = outline(&[[6.0, 0.0], [1.0, 0.0]], 10);
        let found = common_part(&one, &along, 1e-12);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].at.x, found[0].b), (1.0, Feature::Vertex(11)));
        assert_eq!((found[1].at.x, found[1].a), (4.0, Feature::Vertex(1)));
        let across = outline(&[[1.0, -1.0], [1.0, 1.0]], 10);
        assert!(common_part(&one, &across, 1e-12).is_empty());
    }
}
