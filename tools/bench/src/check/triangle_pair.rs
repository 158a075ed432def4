//! Do two closed triangles meet, exactly? Double precision with a margin decides nearly all, rationals the rest.

use crate::data::scenes::{PlainPose, turn};
use testkit::min_norm::min_norm_point;
use testkit::rational::{sub, vector};
use testkit::rigid;

type Point = [f64; 3];
type Triangle = [Point; 3];

/// Whether triangle `a` and the exact image of `b` under the pose (q/|q| and t) have a common point.
pub(crate) fn meet(a: &Triangle, b: &Triangle, pose: &PlainPose) -> bool {
    meet_clearly(a, b, pose).unwrap_or_else(|| meet_exactly(a, b, pose))
}

/// Two convex sets meet when the origin is in the hull of the differences of their corners.
fn meet_exactly(a: &Triangle, b: &Triangle, pose: &PlainPose) -> bool {
    let b = b.map(|x| rigid::apply(pose.rotation, pose.translation, x));
    let differences: Vec<_> =
        a.iter().flat_map(|&p| b.iter().map(move |q| sub(&vector(p), q)).collect::<Vec<_>>()).collect();
    min_norm_point(&differences).iter().all(|x| *x == testkit::rational::integer(0))
}

/// The same where no sign is in doubt.
///
/// A placed point is off by at most e = 100u(|x| + |t|) (`turn`: 40 roundings of |x| and a quaternion of unit length up
/// to 10u). With differences of length at most L, exact ones likewise, a determinant of three of them is off by at
/// most 3·2e·(L + 2e)² plus 20u·L³ of evaluation; `doubt` is more than ten times that.
fn meet_clearly(a: &Triangle, b: &Triangle, pose: &PlainPose) -> Option<bool> {
    let size = |p: &Point| p.iter().map(|x| x.abs()).sum::<f64>();
    let world = b.iter().chain(a).map(size).fold(size(&pose.translation), f64::max);
    let placed = b.map(|x| {
        let turned = turn(pose.rotation, x);
        std::array::from_fn(|k| turned[k] + pose.translation[k])
    });
    let local = |p: Point| minus(p, a[0]);
    let (a, b) = (a.map(local), placed.map(local));
    let length = 2.0 * a.iter().chain(&b).map(size).fold(0.0, f64::max);
    let doubt = 1e-12 * world * length * length;
    let sign = |value: f64| if value.abs() > doubt { Some(value > 0.0) } else { None };
    let sides_b = sides(&a, &b).map(sign);
    let sides_a = sides(&b, &a).map(sign);
    if one_side(sides_b) || one_side(sides_a) {
        return Some(false);
    }
    let mut certain = true;
    for (edges_of, other, sides) in [(&a, &b, sides_a), (&b, &a, sides_b)] {
        for i in 0..3 {
            let j = (i + 1) % 3;
            let (p, q) = (edges_of[i], edges_of[j]);
            if sides[i].is_some() && sides[i] == sides[j] {
                continue;
            }
            let turns = [(0, 1), (1, 2), (2, 0)].map(|(k, l)| sign(volume(p, q, other[k], other[l])));
            match (turns, sides[i], sides[j]) {
                ([Some(x), Some(y), Some(z)], Some(_), Some(_)) if x == y && y == z => return Some(true),
                ([Some(x), Some(y), Some(z)], ..) if x != y || y != z => {}
                _ => certain = false,
            }
        }
    }
    // All planes are crossed for certain and no edge goes through the other triangle for certain.
    let settled = sides_a.iter().chain(&sides_b).all(Option::is_some);
    (certain && settled).then_some(false)
}

fn one_side(sides: [Option<bool>; 3]) -> bool {
    sides[0].is_some() && sides[0] == sides[1] && sides[1] == sides[2]
}

/// Six volumes of the tetrahedra over triangle `t` with each corner of `others`.
fn sides(t: &Triangle, others: &Triangle) -> [f64; 3] {
    let normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    others.map(|p| dot(normal, minus(p, t[0])))
}

fn volume(p: Point, q: Point, a: Point, b: Point) -> f64 {
    dot(cross(minus(q, p), minus(a, p)), minus(b, p))
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::{meet_clearly, meet_exactly};
    use crate::data::scenes::PlainPose;
    use testkit::Generator;

    #[test]
    fn what_is_clear_is_exact() {
        for (mut generator, most_unclear) in [(Generator::free(5), 1), (Generator::grid(6), 600)] {
            let (mut hits, mut unclear) = (0, 0);
            for _ in 0..600 {
                let [a, b] = [(); 2].map(|()| std::array::from_fn(|_| generator.point()));
                let pose = PlainPose { translation: generator.point(), rotation: generator.quaternion() };
                let exact = meet_exactly(&a, &b, &pose);
                hits += usize::from(exact);
                match meet_clearly(&a, &b, &pose) {
                    Some(clear) => assert_eq!(clear, exact, "{a:?} {b:?} {pose:?}"),
                    None => unclear += 1,
                }
            }
            assert!((60..400).contains(&hits), "{hits} hits");
            assert!(unclear < most_unclear, "{unclear} unclear");
        }
    }
}
