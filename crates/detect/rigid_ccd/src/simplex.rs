//! Which way two clouds of points lie apart: the search of Gilbert, Johnson and Keerthi over few points, to rounding.
//!
//! Nothing here is certified: whoever uses a direction proves with it what it needs.

use kontakt_math::DVec3;

/// Up to three pairs of points whose differences are nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simplex {
    count: usize,
    ids: [[usize; 2]; 3],
}

/// Where two clouds are nearest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// From A to B: across the features that are nearest, or along the gap.
    pub(crate) direction: DVec3,
    /// Nearest points, to rounding.
    pub(crate) points: [DVec3; 2],
}

/// Most rounds; a good direction is found in three to six.
const MOST_ROUNDS: u32 = 24;

impl Simplex {
    /// The direction between two clouds, refined until it is within `loose` of the best, beginning with what was nearest
    /// before; `None` where they seem to overlap.
    pub(crate) fn nearest(&mut self, a: &[DVec3], b: &[DVec3], loose: f64) -> Option<Nearest> {
        if self.count == 0 {
            (self.count, self.ids[0]) = (1, [0, 0]);
        }
        let mut points = [DVec3::ZERO; 4];
        let mut ids = [[0; 2]; 4];
        let mut count = self.count;
        for i in 0..count {
            ids[i] = self.ids[i];
            points[i] = b[ids[i][1]] - a[ids[i][0]];
        }
        let mut best: Option<Carrier> = None;
        for _ in 0..MOST_ROUNDS {
            let Some(carrier) = Carrier::of(&points[..count], &ids) else { break };
            // Where the clouds all but touch, rounding may take the search for progress astray: what was nearer before is kept.
            if best.as_ref().is_some_and(|best| carrier.square >= best.square) {
                break;
            }
            let v = carrier.v;
            let far = [farthest(a, v), farthest(b, -v)];
            let w = b[far[1]] - a[far[0]];
            let known = carrier.ids[..carrier.count].contains(&far);
            let done = known || carrier.square - v.dot(w) <= loose * carrier.square;
            count = carrier.count;
            points[..3].copy_from_slice(&carrier.points);
            ids[..3].copy_from_slice(&carrier.ids);
            (points[count], ids[count]) = (w, far);
            count += 1;
            best = Some(carrier);
            if done {
                break;
            }
        }
        best.map(|carrier| {
            (self.count, self.ids) = (carrier.count, carrier.ids);
            carrier.nearest(a, b)
        })
    }

    /// The direction across the features that were nearest, when the points have moved: about `before`, which it was then. The
    /// same where the features do not tell one.
    pub(crate) fn direction(&self, a: &[DVec3], b: &[DVec3], before: DVec3) -> DVec3 {
        if self.count < 3 {
            return before;
        }
        let [p, q, r] = self.ids.map(|[i, j]| b[j] - a[i]);
        let across = (q - p).cross(r - p);
        let turned = if across.dot(before) < 0.0 { -across } else { across };
        if turned == DVec3::ZERO { before } else { turned }
    }
}

/// The pairs that carry the point nearest to the origin.
struct Carrier {
    count: usize,
    ids: [[usize; 2]; 3],
    points: [DVec3; 3],
    shares: [f64; 3],
    /// The nearest point.
    v: DVec3,
    square: f64,
}

impl Carrier {
    /// `None` if the origin is inside.
    fn of(points: &[DVec3], ids: &[[usize; 2]; 4]) -> Option<Carrier> {
        let (kept, weights) = closest(points)?;
        let mut carrier = Carrier {
            count: 0,
            ids: [[0; 2]; 3],
            points: [DVec3::ZERO; 3],
            shares: weights,
            v: DVec3::ZERO,
            square: 0.0,
        };
        for (place, i) in kept.into_iter().take_while(|&i| i < points.len()).enumerate() {
            carrier.v += points[i] * weights[place];
            (carrier.points[place], carrier.ids[place]) = (points[i], ids[i]);
            carrier.count += 1;
        }
        carrier.square = carrier.v.length_squared();
        Some(carrier)
    }

    fn nearest(&self, a: &[DVec3], b: &[DVec3]) -> Nearest {
        let mix = |side: usize, cloud: &[DVec3]| {
            (0..self.count).fold(DVec3::ZERO, |sum, i| sum + cloud[self.ids[i][side]] * self.shares[i])
        };
        let [p, q, r] = self.points;
        let across = (q - p).cross(r - p);
        let direction = if self.count == 3 && across != DVec3::ZERO {
            if across.dot(self.v) < 0.0 { -across } else { across }
        } else {
            self.v
        };
        Nearest { direction, points: [mix(0, a), mix(1, b)] }
    }
}

/// The point farthest in a direction.
fn farthest(points: &[DVec3], direction: DVec3) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for (place, x) in points.iter().enumerate() {
        let height = direction.dot(*x);
        if height > best.0 {
            best = (height, place);
        }
    }
    best.1
}

/// Up to three points, the rest being `NONE`, and their weights.
pub(crate) type Carried = ([usize; 3], [f64; 3]);

/// No point.
pub(crate) const NONE: usize = usize::MAX;

/// Which of up to four points carry the one nearest to the origin, with weights; `None` if the origin is inside.
pub(crate) fn closest(points: &[DVec3]) -> Option<Carried> {
    match *points {
        [_] => Some(([0, NONE, NONE], [1.0, 0.0, 0.0])),
        [p, q] => Some(on_segment([0, 1], p, q)),
        [p, q, r] => Some(on_triangle([0, 1, 2], [p, q, r])),
        [p, q, r, s] => on_tetrahedron([p, q, r, s]),
        _ => None,
    }
}

fn on_segment(ids: [usize; 2], p: DVec3, q: DVec3) -> Carried {
    let d = q - p;
    let (t, square) = (-p.dot(d), d.length_squared());
    if t <= 0.0 || square == 0.0 {
        ([ids[0], NONE, NONE], [1.0, 0.0, 0.0])
    } else if t >= square {
        ([ids[1], NONE, NONE], [1.0, 0.0, 0.0])
    } else {
        let t = t / square;
        ([ids[0], ids[1], NONE], [1.0 - t, t, 0.0])
    }
}

fn on_triangle(ids: [usize; 3], [p, q, r]: [DVec3; 3]) -> Carried {
    let n = (q - p).cross(r - p);
    // Areas of the parts into which the foot of the origin divides the triangle, times |n|.
    let [u, v, w] = [q.cross(r).dot(n), r.cross(p).dot(n), p.cross(q).dot(n)];
    let sum = u + v + w;
    if u >= 0.0 && v >= 0.0 && w >= 0.0 && sum > 0.0 {
        return (ids, [u / sum, v / sum, w / sum]);
    }
    let squared = |found: &Carried| {
        let at = |id: usize| {
            if id == ids[0] {
                p
            } else if id == ids[1] {
                q
            } else {
                r
            }
        };
        let place =
            (0..3).filter(|&i| found.0[i] != NONE).fold(DVec3::ZERO, |x, i| x + at(found.0[i]) * found.1[i]);
        place.length_squared()
    };
    let edges = [
        on_segment([ids[0], ids[1]], p, q),
        on_segment([ids[1], ids[2]], q, r),
        on_segment([ids[2], ids[0]], r, p),
    ];
    let [x, y, z] = edges.map(|edge| squared(&edge));
    if x <= y && x <= z {
        edges[0]
    } else if y <= z {
        edges[1]
    } else {
        edges[2]
    }
}

fn on_tetrahedron(points: [DVec3; 4]) -> Option<Carried> {
    let mut best: Option<(f64, Carried)> = None;
    for [i, j, k, other] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
        let [p, q, r] = [points[i], points[j], points[k]];
        let n = (q - p).cross(r - p);
        let (inner, origin) = (n.dot(points[other] - p), -n.dot(p));
        // The origin and the fourth corner on one side of the face: nothing to find there.
        if inner * origin > 0.0 {
            continue;
        }
        let found = on_triangle([i, j, k], [p, q, r]);
        let place = (0..3)
            .filter(|&c| found.0[c] != NONE)
            .fold(DVec3::ZERO, |x, c| x + points[found.0[c]] * found.1[c]);
        let square = place.length_squared();
        if best.is_none_or(|(least, _)| square < least) {
            best = Some((square, found));
        }
    }
    best.map(|(_, found)| found)
}
