//! What is true of spheres, boxes and capsules by plain formulas in doubles: the "analytic detection" of the thesis, written
//! here without any code of the convex room so that the two can be compared.

use kontakt::math::{DMat3, DVec3, Pose};

/// Normals count as unique if the next best one is deeper by this, points if the next pair is farther by this.
const LEAD: f64 = 1e-6;

/// A body the formulas know: a core grown by a radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simple {
    pub(super) core: SimpleCore,
    pub(super) radius: f64,
}

/// The core in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum SimpleCore {
    Point,
    /// Half length along z.
    Segment(f64),
    /// Half extents.
    Box(DVec3),
}

/// What the formulas say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Distance (of two boxes: a lower bound of it), or minus the depth.
    pub(super) separation: f64,
    /// From A to B, if there is only one.
    pub(super) normal: Option<DVec3>,
    /// Middle between the points of contact, if there is only one pair.
    pub(super) point: Option<DVec3>,
}

impl Found {
    fn swapped(self) -> Found {
        Found { normal: self.normal.map(|n| -n), ..self }
    }
}

/// The relation of two bodies.
pub(super) fn relation(a: Simple, pose_a: Pose, b: Simple, pose_b: Pose) -> Found {
    match (a.core, b.core) {
        (SimpleCore::Box(_), SimpleCore::Point | SimpleCore::Segment(_)) => {
            relation(b, pose_b, a, pose_a).swapped()
        }
        (SimpleCore::Box(half_a), SimpleCore::Box(half_b)) => {
            boxes(&Placed::new(half_a, pose_a), &Placed::new(half_b, pose_b))
        }
        (_, SimpleCore::Box(half)) => {
            ends_and_box(ends(a.core, pose_a), a.radius, &Placed::new(half, pose_b))
        }
        _ => round(ends(a.core, pose_a), ends(b.core, pose_b), [a.radius, b.radius]),
    }
}

fn ends(core: SimpleCore, pose: Pose) -> [DVec3; 2] {
    let half = if let SimpleCore::Segment(half) = core { half } else { 0.0 };
    [-half, half].map(|z| pose.apply(DVec3::Z * z))
}

/// Two segments (or points) with radii.
fn round(a: [DVec3; 2], b: [DVec3; 2], radii: [f64; 2]) -> Found {
    let (p, q, unique) = nearest_on_segments(a, b);
    let (way, distance) = (q - p, (q - p).length());
    let separation = distance - radii[0] - radii[1];
    let normal = (distance > LEAD).then(|| way / distance);
    let middle = |n: DVec3| ((p + radii[0] * n) + (q - radii[1] * n)) / 2.0;
    Found { separation, normal, point: normal.filter(|_| unique).map(middle) }
}

/// The nearest points of two segments, and whether they are the only ones.
fn nearest_on_segments(a: [DVec3; 2], b: [DVec3; 2]) -> (DVec3, DVec3, bool) {
    let (d, e, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let area = dd * ee - de * de;
    let slanted = area > 1e-8 * dd * ee;
    let at = |s: f64| (if ee > 0.0 { (e.dot(r) + s * de) / ee } else { 0.0 }).clamp(0.0, 1.0);
    let start = if slanted { ((de * e.dot(r) - d.dot(r) * ee) / area).clamp(0.0, 1.0) } else { 0.0 };
    let t = at(start);
    let s = (if dd > 0.0 { (t * de - d.dot(r)) / dd } else { 0.0 }).clamp(0.0, 1.0);
    let t = at(s);
    (a[0] + s * d, b[0] + t * e, slanted || dd == 0.0 || ee == 0.0)
}

/// A box in the world.
struct Placed {
    half: DVec3,
    centre: DVec3,
    axes: DMat3,
}

impl Placed {
    fn new(half: DVec3, pose: Pose) -> Placed {
        let axes = DMat3::from_cols(pose.rotate(DVec3::X), pose.rotate(DVec3::Y), pose.rotate(DVec3::Z));
        Placed { half, centre: pose.translation(), axes }
    }

    fn local(&self, x: DVec3) -> DVec3 {
        self.axes.transpose() * (x - self.centre)
    }

    fn world(&self, x: DVec3) -> DVec3 {
        self.axes * x + self.centre
    }

    fn reach(&self, n: DVec3) -> f64 {
        (self.axes.transpose() * n).abs().dot(self.half)
    }

    fn corner(&self, i: usize) -> DVec3 {
        let sign = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
        self.world(self.half * DVec3::new(sign(0), sign(1), sign(2)))
    }

    /// The vertex farthest along n, if no other is nearly as far.
    fn farthest_corner(&self, n: DVec3) -> Option<DVec3> {
        let along = self.axes.transpose() * n;
        let unique = (along.abs() * self.half).min_element() > LEAD;
        unique.then(|| self.world(self.half * along.signum()))
    }

    /// The edge parallel to axis `k` farthest along n.
    fn farthest_edge(&self, k: usize, n: DVec3) -> [DVec3; 2] {
        let corner = self.half * (self.axes.transpose() * n).signum();
        [-self.half[k], self.half[k]].map(|z| {
            let mut end = corner;
            end[k] = z;
            self.world(end)
        })
    }
}

/// A segment (or point) with a radius against a box; the normal points from the segment to the box.
fn ends_and_box(ends: [DVec3; 2], radius: f64, cuboid: &Placed) -> Found {
    let axis = ends[1] - ends[0];
    let middle = (ends[0] + ends[1]) / 2.0;
    if meets(ends.map(|end| cuboid.local(end)), cuboid.half) {
        // Separating axes: faces of the box, and edges against the segment.
        let mut axes: Vec<DVec3> = (0..3).map(|k| cuboid.axes.col(k)).collect();
        axes.extend((0..3).filter_map(|k| cuboid.axes.col(k).cross(axis).try_normalize()));
        let (overlap, normal, lead) =
            least_overlap(&axes, cuboid.centre - middle, |n| cuboid.reach(n) + (axis.dot(n) / 2.0).abs());
        return Found {
            separation: -(overlap + radius),
            normal: (lead > LEAD).then_some(normal),
            point: None,
        };
    }
    let mut pairs: Vec<(DVec3, DVec3)> = ends
        .iter()
        .map(|end| (*end, cuboid.world(cuboid.local(*end).clamp(-cuboid.half, cuboid.half))))
        .collect();
    for i in 0..8_usize {
        for k in (0..3).filter(|k| i >> k & 1 == 0) {
            let (p, q, _) = nearest_on_segments(ends, [cuboid.corner(i), cuboid.corner(i | 1 << k)]);
            pairs.push((p, q));
        }
    }
    pairs.sort_by(|x, y| (x.1 - x.0).length_squared().total_cmp(&(y.1 - y.0).length_squared()));
    let (p, q) = pairs[0];
    let distance = (q - p).length();
    let unique = pairs[1..].iter().all(|(r, s)| {
        (*s - *r).length() > distance + LEAD * LEAD || (*r - p).length() + (*s - q).length() < LEAD * LEAD
    });
    let normal = (distance > LEAD).then(|| (q - p) / distance);
    let between = |n: DVec3| ((p + radius * n) + q) / 2.0;
    Found { separation: distance - radius, normal, point: normal.filter(|_| unique).map(between) }
}

/// Whether a segment meets the box |x| ≤ half.
fn meets(ends: [DVec3; 2], half: DVec3) -> bool {
    let way = ends[1] - ends[0];
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for k in 0..3 {
        if way[k] == 0.0 {
            if ends[0][k].abs() > half[k] {
                return false;
            }
            continue;
        }
        let (s, t) = ((-half[k] - ends[0][k]) / way[k], (half[k] - ends[0][k]) / way[k]);
        enter = enter.max(s.min(t));
        leave = leave.min(s.max(t));
    }
    enter <= leave
}

/// The least overlap over axes of unit length, its direction towards `offset`, and how much larger the next one is.
fn least_overlap(axes: &[DVec3], offset: DVec3, reach: impl Fn(DVec3) -> f64) -> (f64, DVec3, f64) {
    let overlap = |n: &DVec3| reach(*n) - n.dot(offset).abs();
    let mut all: Vec<(f64, DVec3)> = axes.iter().map(|n| (overlap(n), *n)).collect();
    all.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (least, n) = all[0];
    let other = all.iter().find(|(_, m)| m.cross(n).length() > LEAD);
    let flips = 2.0 * n.dot(offset).abs();
    let lead = other.map_or(f64::INFINITY, |(overlap, _)| overlap - least).min(flips);
    (least, if n.dot(offset) < 0.0 { -n } else { n }, lead)
}

/// Two boxes by fifteen axes.
fn boxes(a: &Placed, b: &Placed) -> Found {
    let offset = b.centre - a.centre;
    let mut axes: Vec<DVec3> = (0..3).flat_map(|k| [a.axes.col(k), b.axes.col(k)]).collect();
    for i in 0..3 {
        for j in 0..3 {
            axes.extend(a.axes.col(i).cross(b.axes.col(j)).try_normalize());
        }
    }
    let (overlap, normal, lead) = least_overlap(&axes, offset, |n| a.reach(n) + b.reach(n));
    if overlap < 0.0 {
        // The largest gap is what separates; it bounds the distance from below.
        return Found { separation: -overlap, normal: None, point: None };
    }
    let point = (lead > LEAD).then(|| box_point(a, b, normal, overlap)).flatten();
    Found { separation: -overlap, normal: (lead > LEAD).then_some(normal), point }
}

/// Middle of the contact of two boxes along a normal: a vertex on a face, or an edge on an edge.
fn box_point(a: &Placed, b: &Placed, normal: DVec3, depth: f64) -> Option<DVec3> {
    let parallel = |cuboid: &Placed| (0..3).any(|k| cuboid.axes.col(k).cross(normal).length() < LEAD);
    match (parallel(a), parallel(b)) {
        (true, true) => None,
        (true, false) => b.farthest_corner(-normal).map(|corner| corner + 0.5 * depth * normal),
        (false, true) => a.farthest_corner(normal).map(|corner| corner - 0.5 * depth * normal),
        (false, false) => {
            let across = |cuboid: &Placed| {
                (0..3).min_by(|&i, &j| {
                    let lean = |k: usize| cuboid.axes.col(k).dot(normal).abs();
                    lean(i).total_cmp(&lean(j))
                })
            };
            let (p, q, unique) = nearest_on_segments(
                a.farthest_edge(across(a)?, normal),
                b.farthest_edge(across(b)?, -normal),
            );
            unique.then(|| (p + q) / 2.0)
        }
    }
}
