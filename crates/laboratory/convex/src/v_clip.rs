//! V-Clip (Mirtich 1998), the robust descendant of Lin–Canny: walks from feature to neighbouring feature until the pair
//! of nearest ones is found. For study: plain doubles, its own verdict, counted endings.

use crate::contact::Ending;
use crate::polyhedron::{Feature, Polyhedron};
use kontakt_convex::{Shape, Verdict};
use kontakt_math::{Between, DVec3};

/// How it works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VClip {
    /// Steps from feature to feature at most.
    pub steps: usize,
}

impl Default for VClip {
    fn default() -> Self {
        VClip { steps: 400 }
    }
}

/// The nearest features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// `Separate` or `Overlapping`, in its own opinion; `Undecided` when steps ran out.
    pub verdict: Verdict,
    /// Nearest feature of A and of B, good to start the next query with.
    pub features: [Feature; 2],
    /// Distance of the features; 0 when overlapping.
    pub distance: f64,
    /// Steps taken.
    pub steps: usize,
    /// How it ended.
    pub ending: Ending,
}

/// What one look at a pair of features gives.
enum Step {
    /// Look at these next.
    Move([Feature; 2]),
    /// They are nearest, at this distance.
    Done(f64),
    /// The bodies penetrate.
    Inside,
}

impl VClip {
    /// Runs it on boxes and solid hulls without radii, from these features or the first vertices; `None` for other shapes.
    pub fn run(&self, a: &Shape, b: &Shape, between: &Between, start: Option<[Feature; 2]>) -> Option<Walk> {
        if [a, b].iter().any(|shape| shape.radii() != [0.0; 2]) {
            return None;
        }
        let bodies = [Polyhedron::of(a.core(), |x| x)?, Polyhedron::of(b.core(), |x| between.b_in_a(x))?];
        Some(self.walk(&bodies, start.unwrap_or([Feature::Vertex(0); 2])))
    }

    /// Runs it on placed polyhedra. Bodies that penetrate may send it round in circles: it then starts once more, from the
    /// vertices that face each other.
    pub fn walk(&self, bodies: &[Polyhedron; 2], start: [Feature; 2]) -> Walk {
        let first = self.walk_once(bodies, start);
        if !first.ending.is_failure() {
            return first;
        }
        let middle = |p: &Polyhedron| p.points.iter().sum::<DVec3>() / p.points.len() as f64;
        let towards = middle(&bodies[1]) - middle(&bodies[0]);
        let facing = |p: &Polyhedron, d: DVec3| {
            let far = |k: &usize, l: &usize| d.dot(p.points[*k]).total_cmp(&d.dot(p.points[*l]));
            Feature::Vertex((0..p.points.len()).max_by(far).unwrap_or(0))
        };
        let second = self.walk_once(bodies, [facing(&bodies[0], towards), facing(&bodies[1], -towards)]);
        Walk { steps: first.steps + second.steps, ..second }
    }

    fn walk_once(self, bodies: &[Polyhedron; 2], start: [Feature; 2]) -> Walk {
        let mut features = start;
        for steps in 1..=self.steps {
            let (verdict, distance) = match look(bodies, features) {
                Step::Move(next) => {
                    features = next;
                    continue;
                }
                Step::Done(distance) if distance > 0.0 => (Verdict::Separate, distance),
                Step::Done(_) => (Verdict::Touching, 0.0),
                Step::Inside => (Verdict::Overlapping, 0.0),
            };
            return Walk { verdict, features, distance, steps, ending: Ending::Converged };
        }
        let verdict = Verdict::Undecided;
        Walk { verdict, features, distance: 0.0, steps: self.steps, ending: Ending::TooLong }
    }
}

/// One step. The five cases have the lesser feature first.
fn look(bodies: &[Polyhedron; 2], features: [Feature; 2]) -> Step {
    let rank = |f: Feature| match f {
        Feature::Vertex(_) => 0,
        Feature::Edge(_) => 1,
        Feature::Face(_) => 2,
    };
    if rank(features[0]) > rank(features[1]) {
        let step = ordered(&bodies[1], &bodies[0], features[1], features[0]);
        return match step {
            Step::Move([f, g]) => Step::Move([g, f]),
            other => other,
        };
    }
    ordered(&bodies[0], &bodies[1], features[0], features[1])
}

fn ordered(p: &Polyhedron, q: &Polyhedron, f: Feature, g: Feature) -> Step {
    match (f, g) {
        (Feature::Vertex(v), Feature::Vertex(w)) => vertex_vertex(p, q, v, w),
        (Feature::Vertex(v), Feature::Edge(e)) => vertex_edge(p, q, v, e),
        (Feature::Vertex(v), Feature::Face(h)) => vertex_face(p, q, v, h),
        (Feature::Edge(e), Feature::Edge(d)) => edge_edge(p, q, e, d),
        (Feature::Edge(e), Feature::Face(h)) => edge_face(p, q, e, h),
        // Two faces have lesser features as near; and order is as said.
        _ => Step::Move([first_vertex(p, f), g]),
    }
}

fn first_vertex(p: &Polyhedron, f: Feature) -> Feature {
    match f {
        Feature::Vertex(_) => f,
        Feature::Edge(e) => Feature::Vertex(p.edges[e].ends[0]),
        Feature::Face(h) => Feature::Vertex(p.edges[p.faces[h].edges[0]].ends[0]),
    }
}

/// The edge at a vertex that leads towards a point, the steepest one.
fn edge_towards(p: &Polyhedron, vertex: usize, x: DVec3) -> Option<usize> {
    let away = x - p.points[vertex];
    let mut best = (0.0, None);
    for &edge in &p.at_vertex[vertex] {
        let along = p.along(edge);
        let out = if p.edges[edge].ends[0] == vertex { along } else { -along };
        let slope = away.dot(out) / out.length();
        if slope > best.0 {
            best = (slope, Some(edge));
        }
    }
    best.1
}

fn vertex_vertex(p: &Polyhedron, q: &Polyhedron, v: usize, w: usize) -> Step {
    let (x, y) = (p.points[v], q.points[w]);
    if let Some(edge) = edge_towards(p, v, y) {
        return Step::Move([Feature::Edge(edge), Feature::Vertex(w)]);
    }
    if let Some(edge) = edge_towards(q, w, x) {
        return Step::Move([Feature::Vertex(v), Feature::Edge(edge)]);
    }
    Step::Done(x.distance(y))
}

/// The feature next to an edge whose Voronoi region holds a point, if it is not the edge's own.
fn off_edge(q: &Polyhedron, edge: usize, x: DVec3) -> Option<Feature> {
    let [tail, head] = q.edges[edge].ends;
    let along = q.along(edge);
    if along.dot(x - q.points[tail]) < 0.0 {
        return Some(Feature::Vertex(tail));
    }
    if along.dot(x - q.points[head]) > 0.0 {
        return Some(Feature::Vertex(head));
    }
    let beyond = |face: &usize| q.inward(*face, edge).dot(x - q.points[tail]) > 0.0;
    q.edges[edge].faces.iter().find(|face| beyond(face)).map(|face| Feature::Face(*face))
}

fn vertex_edge(p: &Polyhedron, q: &Polyhedron, v: usize, e: usize) -> Step {
    let x = p.points[v];
    if let Some(next) = off_edge(q, e, x) {
        return Step::Move([Feature::Vertex(v), next]);
    }
    let (tail, along) = (q.points[q.edges[e].ends[0]], q.along(e));
    let nearest = tail + along * (along.dot(x - tail) / along.length_squared()).clamp(0.0, 1.0);
    match edge_towards(p, v, nearest) {
        Some(edge) => Step::Move([Feature::Edge(edge), Feature::Edge(e)]),
        None => Step::Done(x.distance(nearest)),
    }
}

fn vertex_face(p: &Polyhedron, q: &Polyhedron, v: usize, h: usize) -> Step {
    let (x, face) = (p.points[v], &q.faces[h]);
    let mut worst = (0.0, None);
    for &edge in &face.edges {
        let inward = q.inward(h, edge);
        let outside = -inward.dot(x - q.points[q.edges[edge].ends[0]]) / inward.length();
        if outside > worst.0 {
            worst = (outside, Some(edge));
        }
    }
    if let Some(edge) = worst.1 {
        return Step::Move([Feature::Vertex(v), Feature::Edge(edge)]);
    }
    let height = face.normal.dot(x - q.on_face(h));
    // An edge that leads closer to the plane.
    for &edge in &p.at_vertex[v] {
        let along = p.along(edge);
        let out = if p.edges[edge].ends[0] == v { along } else { -along };
        if face.normal.dot(out) * height.signum() < 0.0 {
            return Step::Move([Feature::Edge(edge), Feature::Face(h)]);
        }
    }
    if height >= 0.0 { Step::Done(height) } else { escape(q, v, x, h) }
}

/// A vertex below a face and no way up: another face that it is outside of, or it is inside.
fn escape(q: &Polyhedron, v: usize, x: DVec3, h: usize) -> Step {
    let mut best = (0.0, h);
    for (number, face) in q.faces.iter().enumerate() {
        let height = face.normal.dot(x - q.on_face(number));
        if height > best.0 {
            best = (height, number);
        }
    }
    if best.1 == h { Step::Inside } else { Step::Move([Feature::Vertex(v), Feature::Face(best.1)]) }
}

/// An edge's part within some half-spaces, each of which belongs to a neighbour.
struct Clip {
    low: f64,
    high: f64,
    low_by: Option<Feature>,
    high_by: Option<Feature>,
}

impl Clip {
    fn whole() -> Clip {
        Clip { low: 0.0, high: 1.0, low_by: None, high_by: None }
    }

    /// Keeps where the value, linear from `from` to `to`, is not negative; false when nothing is left.
    fn keep(&mut self, from: f64, to: f64, neighbour: Feature) -> bool {
        if from < 0.0 && to < 0.0 {
            (self.low_by, self.high_by) = (Some(neighbour), Some(neighbour));
            return false;
        }
        let cut = from / (from - to);
        if from < 0.0 && cut > self.low {
            (self.low, self.low_by) = (cut, Some(neighbour));
        } else if to < 0.0 && cut < self.high {
            (self.high, self.high_by) = (cut, Some(neighbour));
        }
        self.low <= self.high
    }
}

/// Clips edge `e` of `p` by the Voronoi region of edge `d` of `q`; where its nearest point to `d` is cut off, the
/// neighbour of `d` that is nearer.
fn nearer_than_edge(p: &Polyhedron, q: &Polyhedron, e: usize, d: usize) -> Option<Feature> {
    let [from, to] = p.edges[e].ends.map(|k| p.points[k]);
    let [tail, head] = q.edges[d].ends.map(|k| q.points[k]);
    let along = q.along(d);
    let ends = q.edges[d].ends;
    let faces = q.edges[d].faces;
    let mut clip = Clip::whole();
    let planes = [
        (along, tail, Feature::Vertex(ends[0])),
        (-along, head, Feature::Vertex(ends[1])),
        (-q.inward(faces[0], d), tail, Feature::Face(faces[0])),
        (-q.inward(faces[1], d), tail, Feature::Face(faces[1])),
    ];
    for (normal, at, neighbour) in planes {
        if !clip.keep(normal.dot(from - at), normal.dot(to - at), neighbour) {
            return Some(neighbour);
        }
    }
    let point = |t: f64| from + (to - from) * t;
    // The distance from the neighbour decides: its derivative where the edge was cut.
    let rises = |t: f64, by: Feature| {
        let x = point(t);
        let away = match by {
            Feature::Vertex(v) => x - q.points[v],
            Feature::Face(h) => q.faces[h].normal * q.faces[h].normal.dot(x - q.on_face(h)).signum(),
            Feature::Edge(_) => DVec3::ZERO,
        };
        away.dot(to - from)
    };
    if let Some(by) = clip.low_by
        && rises(clip.low, by) > 0.0
    {
        return Some(by);
    }
    if let Some(by) = clip.high_by
        && rises(clip.high, by) < 0.0
    {
        return Some(by);
    }
    None
}

fn edge_edge(p: &Polyhedron, q: &Polyhedron, e: usize, d: usize) -> Step {
    if let Some(next) = nearer_than_edge(p, q, e, d) {
        return Step::Move([Feature::Edge(e), next]);
    }
    if let Some(next) = nearer_than_edge(q, p, d, e) {
        return Step::Move([next, Feature::Edge(d)]);
    }
    Step::Done(segment_distance(p, q, e, d))
}

/// Distance of two edges as segments.
fn segment_distance(p: &Polyhedron, q: &Polyhedron, e: usize, d: usize) -> f64 {
    let (x, u) = (p.points[p.edges[e].ends[0]], p.along(e));
    let (y, v) = (q.points[q.edges[d].ends[0]], q.along(d));
    let (uu, uv, vv, r) = (u.dot(u), u.dot(v), v.dot(v), x - y);
    let determinant = uu * vv - uv * uv;
    let mut s = if determinant > 0.0 { (uv * v.dot(r) - vv * u.dot(r)) / determinant } else { 0.0 };
    s = s.clamp(0.0, 1.0);
    let t = ((uv * s + v.dot(r)) / vv).clamp(0.0, 1.0);
    s = ((uv * t - u.dot(r)) / uu).clamp(0.0, 1.0);
    (x + u * s).distance(y + v * t)
}

fn edge_face(p: &Polyhedron, q: &Polyhedron, e: usize, h: usize) -> Step {
    let ends = p.edges[e].ends;
    let [from, to] = ends.map(|k| p.points[k]);
    let mut clip = Clip::whole();
    for &edge in &q.faces[h].edges {
        let (inward, at) = (q.inward(h, edge), q.points[q.edges[edge].ends[0]]);
        if !clip.keep(inward.dot(from - at), inward.dot(to - at), Feature::Edge(edge)) {
            return Step::Move([Feature::Edge(e), nearest_side(p, q, e, h)]);
        }
    }
    let normal = q.faces[h].normal;
    let (low, high) = (normal.dot(from - q.on_face(h)), normal.dot(to - q.on_face(h)));
    let height = |t: f64| low + (high - low) * t;
    let (first, last) = (height(clip.low), height(clip.high));
    if first * last <= 0.0 {
        return Step::Inside;
    }
    let down = (first >= 0.0) == (high >= low);
    let (by, vertex) = if down { (clip.low_by, ends[0]) } else { (clip.high_by, ends[1]) };
    match by {
        Some(edge) => Step::Move([Feature::Edge(e), edge]),
        None => Step::Move([Feature::Vertex(vertex), Feature::Face(h)]),
    }
}

/// The side of a face nearest to an edge that passes it by.
fn nearest_side(p: &Polyhedron, q: &Polyhedron, e: usize, h: usize) -> Feature {
    let mut best = (f64::INFINITY, q.faces[h].edges[0]);
    for &edge in &q.faces[h].edges {
        let distance = segment_distance(p, q, e, edge);
        if distance < best.0 {
            best = (distance, edge);
        }
    }
    Feature::Edge(best.1)
}
