//! Farthest-first centres (thesis 3.7.2, Figure 3.6), with the guarantee of two.

use super::{Method, Rule, Split, SplitSet};
use crate::build::partial::{Complete, OPEN, refill, squared_reach};
use kontakt_bounds::{Bound, Sphere, Support};
use kontakt_math::DVec3;

pub(super) const METHODS: &[Method] =
    &[Method::new("hochbaum-shmoys", "farthest-first centres (thesis 3.7.2)", |_| Box::new(HochbaumShmoys))];

/// Modified Hochbaum–Shmoys: the first centre is the corner farthest from the middle of the ball around all faces; every
/// further one is a corner of the face that no centre reaches well. A face goes to the centre whose ball around it, to its
/// farthest corner, is smallest.
///
/// **The greatest of these radii is at most twice the least possible** for balls that hold one part each. Proof: let R be
/// the least, reached by d balls. If a chosen centre lies in the ball of a face f, its distance to every corner of f is at
/// most 2R. As long as some face has d(f) > 2R its ball holds no centre, and the next centre, a corner of the face with
/// the greatest d(f), comes into a ball that had none. After d choices every ball has a centre, or no such face is left.
///
/// The thesis takes the *vertex* farthest from all centres instead (line 9); for it only a factor of four holds, because
/// a face's corners may be near to different centres. The test below has an example with 3.2.
pub(super) struct HochbaumShmoys;

impl Rule for HochbaumShmoys {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        let mut centres = Centres::new(set, &vec![OPEN; set.faces.len()]);
        centres.fill_up(set, parts);
        Some(Split::from(centres.labels))
    }
}

impl Complete for HochbaumShmoys {
    /// Decided parts have their centre in the middle of their box.
    fn complete(&self, set: &SplitSet<'_>, labels: &[u8], parts: usize) -> Vec<u8> {
        let mut centres = Centres::new(set, labels);
        for part in 0..parts as u8 {
            let members = set.faces_of(labels, part);
            if !members.is_empty() {
                centres.add(set, set.workpiece.box_around(&members).centre(), part);
            }
        }
        centres.fill_up(set, parts);
        let mut done = centres.labels;
        refill(&mut done, labels, parts);
        done
    }
}

/// The centres so far and who belongs to them.
struct Centres {
    /// Whether each face may be given to a part.
    free: Vec<bool>,
    labels: Vec<u8>,
    /// Squared distance of each free face's farthest corner from its centre.
    reach: Vec<f64>,
    /// Parts that have a centre, and where it is.
    used: Vec<u8>,
    places: Vec<DVec3>,
}

impl Centres {
    fn new(set: &SplitSet<'_>, labels: &[u8]) -> Centres {
        Centres {
            free: labels.iter().map(|label| *label == OPEN).collect(),
            labels: labels.iter().map(|label| if *label == OPEN { 0 } else { *label }).collect(),
            reach: vec![f64::INFINITY; set.faces.len()],
            used: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A centre for a part: free faces that it reaches better come over.
    fn add(&mut self, set: &SplitSet<'_>, centre: DVec3, part: u8) {
        self.used.push(part);
        self.places.push(centre);
        for place in (0..self.free.len()).filter(|i| self.free[*i]) {
            let reach = squared_reach(set, centre, place);
            if reach < self.reach[place] {
                self.reach[place] = reach;
                self.labels[place] = part;
            }
        }
    }

    /// Centres for the parts that have none, until every face is reached perfectly.
    fn fill_up(&mut self, set: &SplitSet<'_>, parts: usize) {
        for part in 0..parts as u8 {
            if self.used.contains(&part) {
                continue;
            }
            let Some(centre) = self.next(set) else { return };
            self.add(set, centre, part);
        }
    }

    /// The corner, farthest from its centre, of the free face that is reached worst; for the first centre of all, the one
    /// farthest from the middle of the ball around everything.
    fn next(&self, set: &SplitSet<'_>) -> Option<DVec3> {
        if self.places.is_empty() {
            let corners: Vec<DVec3> = (0..set.faces.len()).flat_map(|place| set.corners(place)).collect();
            let middle = Sphere::fit(&corners).map_or(DVec3::ZERO, |ball| ball.centre);
            return on_the_border(&corners, middle);
        }
        let free = (0..self.free.len()).rev().filter(|i| self.free[*i] && self.reach[*i] > 0.0);
        let worst = free.max_by(|a, b| self.reach[*a].total_cmp(&self.reach[*b]))?;
        let own = self.used.iter().position(|part| *part == self.labels[worst])?;
        farthest(&set.corners(worst), self.places[own])
    }
}

/// The first of the points farthest from a place.
fn farthest(points: &[DVec3], from: DVec3) -> Option<DVec3> {
    let away = |p: &&DVec3| p.distance_squared(from);
    points.iter().rev().max_by(|a, b| away(a).total_cmp(&away(b))).copied()
}

/// Of the points farthest from the middle, all of which lie on the ball to rounding, the one with the least coordinates:
/// the same whatever the order of the points.
fn on_the_border(points: &[DVec3], middle: DVec3) -> Option<DVec3> {
    let away = |p: &DVec3| p.distance_squared(middle);
    let radius = points.iter().map(away).fold(0.0, f64::max);
    let border = points.iter().filter(|p| away(p) >= radius * (1.0 - 1e-9));
    border.min_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{OneKind, Plan, Workpiece};
    use kontakt_bounds::Objective;
    use kontakt_hierarchy::Faces;

    /// Four long faces for three parts: some corner of each is near to a centre, but not all corners of all to the same.
    /// With the farthest vertex as the next centre the greatest radius is 3.2 times the least.
    #[test]
    fn long_faces_stay_within_the_factor_of_two() {
        let segments = [
            [(10.0, -4.0), (0.0, -3.0)],
            [(10.0, 3.0), (6.0, 6.0)],
            [(14.0, 5.0), (4.0, 4.0)],
            [(-5.0, 2.0), (1.0, 10.0)],
        ];
        let vertices: Vec<DVec3> = segments.iter().flatten().map(|(x, y)| DVec3::new(*x, *y, 0.0)).collect();
        let triangles: Vec<[u32; 3]> = (0..4).map(|i| [2 * i, 2 * i + 1, 2 * i + 1]).collect();
        let faces = Faces { vertices: &vertices, triangles: &triangles };
        let plan = Plan::default();
        let judge = OneKind::<Sphere>::new(faces, Objective::Diameter);
        let workpiece = Workpiece::new(faces, &plan, &judge).expect("a workpiece");
        let set = SplitSet { workpiece: &workpiece, faces: &[0, 1, 2, 3], seed: 1 };
        let mut centres = Centres::new(&set, &[OPEN; 4]);
        centres.fill_up(&set, 3);
        let reached = centres.reach.iter().copied().fold(0.0, f64::max).sqrt();
        // Balls around the first, the middle two and the last face.
        let ball = |members: &[u32]| {
            let corners: Vec<DVec3> = members.iter().flat_map(|f| workpiece.corners(*f)).collect();
            Sphere::fit(&corners).expect("a ball").radius
        };
        let balls = ball(&[0]).max(ball(&[1, 2])).max(ball(&[3]));
        assert!(reached <= 2.0 * balls * (1.0 + 1e-12), "{reached} is more than twice {balls}");
    }
}
