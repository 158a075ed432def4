//! Whether an exact point lies in a volume, from the volume's stored doubles alone.

use kontakt_bounds::{AnyVolume, DirectionSet, HullVolume, KDop, Lss, Parameter, Rss};
use kontakt_math::DVec3;
use testkit::membership::{in_cone, in_cylinder, in_prism, in_shell, in_zonotope};
use testkit::rational::{Rational, Vector, add, cross, dot, exact, integer, scale, sign, sub, vector};
use testkit::{Parallelepiped, rational};

/// The double exactly.
pub fn point(p: DVec3) -> Vector {
    vector(p.to_array())
}

/// |a − b|².
pub fn distance_squared(a: &Vector, b: &Vector) -> Rational {
    let offset = sub(a, b);
    dot(&offset, &offset)
}

/// Whether the point lies in the exact set. `None` where the oracle cannot tell: numbers that overflowed to infinity
/// (the set is then everything), a cone of a size beside the oracle's precision, a flat hull or zonotope.
pub fn holds(volume: &AnyVolume, p: &Vector) -> Option<bool> {
    if !is_finite(volume) {
        return None;
    }
    let array = |v: DVec3| v.to_array();
    Some(match volume {
        AnyVolume::Sphere(v) => distance_squared(p, &point(v.centre)) <= square(v.radius),
        AnyVolume::Aabb(v) => (0..3).all(|i| exact(v.min[i]) <= p[i] && p[i] <= exact(v.max[i])),
        AnyVolume::Obb(v) => Parallelepiped {
            centre: array(v.centre),
            axes: [v.axes.x_axis, v.axes.y_axis, v.axes.z_axis].map(array),
            half: array(v.half_extents),
        }
        .contains(p),
        AnyVolume::Dop26(v) => in_slabs(KDop::<13>::directions(), &v.min, &v.max, p),
        AnyVolume::Slabs(v) => in_slabs(v.directions(), v.min(), v.max(), p),
        AnyVolume::Lss(v) => in_lss(v, p),
        AnyVolume::Rss(v) => in_rss(v, p),
        AnyVolume::Hull(v) => return in_hull(v, p),
        AnyVolume::Cylinder(v) => {
            in_cylinder(p, array(v.middle()), array(v.axis()), v.half_length(), v.radius())
        }
        AnyVolume::Cone(v) => {
            let size = v.base().abs().max_element() + v.height() + v.base_radius() + v.top_radius();
            if !(1e-20..1e20).contains(&size) {
                return None;
            }
            in_cone(p, array(v.base()), array(v.axis()), v.height(), [v.base_radius(), v.top_radius()])
        }
        AnyVolume::Shell(v) => in_shell(
            p,
            array(v.middle()),
            [v.inner_radius(), v.outer_radius()],
            array(v.axis()),
            v.cos_half_angle(),
        ),
        AnyVolume::Prism(v) => {
            let axes = v.axes();
            in_prism(
                p,
                array(v.origin()),
                [axes.x_axis, axes.y_axis, axes.z_axis].map(array),
                v.triangle().map(|c| c.to_array()),
                v.half_height(),
            )
        }
        AnyVolume::Zonotope(v) => {
            let generators: Vec<[f64; 3]> = v.generators().iter().map(|g| array(*g)).collect();
            // With none or one generator there are no facets to test; `reach` is tested anyway.
            if generators.len() < 3 {
                return None;
            }
            in_zonotope(p, array(v.middle()), &generators)
        }
        _ => return None,
    })
}

fn square(value: f64) -> Rational {
    exact(value) * exact(value)
}

fn is_finite(volume: &AnyVolume) -> bool {
    numbers(volume).iter().all(|value| value.is_finite())
}

/// All numbers of a volume's parameters.
pub fn numbers(volume: &AnyVolume) -> Vec<f64> {
    let mut all = Vec::new();
    for (_, parameter) in volume.parameters() {
        match parameter {
            Parameter::Number(value) => all.push(value),
            Parameter::Numbers(values) => all.extend(values),
            Parameter::Vector(v) => all.extend(v.to_array()),
            Parameter::Vectors(vs) => all.extend(vs.iter().flat_map(|v| v.to_array())),
            Parameter::Faces(_) => {}
        }
    }
    all
}

fn in_slabs(set: &DirectionSet, min: &[f64], max: &[f64], p: &Vector) -> bool {
    set.directions().iter().zip(min.iter().zip(max)).all(|(n, (min, max))| {
        let along = dot(&point(*n), p);
        exact(*min) <= along && along <= exact(*max)
    })
}

/// Squared distance from the segment a–b.
fn from_segment(p: &Vector, a: &Vector, b: &Vector) -> Rational {
    let (edge, offset) = (sub(b, a), sub(p, a));
    let square = dot(&edge, &edge);
    if sign(&square) == 0 {
        return dot(&offset, &offset);
    }
    let share = (dot(&edge, &offset) / square).clamp(integer(0), integer(1));
    distance_squared(p, &add(a, &scale(&share, &edge)))
}

fn in_lss(v: &Lss, p: &Vector) -> bool {
    from_segment(p, &point(v.start), &point(v.end)) <= square(v.radius)
}

/// Nearest point of the parallelogram: inside it by the normal equations, else on one of its edges.
fn in_rss(v: &Rss, p: &Vector) -> bool {
    let (centre, u, w) = (point(v.centre), point(v.half_u), point(v.half_v));
    let offset = sub(p, &centre);
    let (uu, uw, ww) = (dot(&u, &u), dot(&u, &w), dot(&w, &w));
    let determinant = &uu * &ww - &uw * &uw;
    let room = square(v.radius);
    if sign(&determinant) != 0 {
        let (pu, pw) = (dot(&offset, &u), dot(&offset, &w));
        let s = (&pu * &ww - &pw * &uw) / &determinant;
        let t = (&pw * &uu - &pu * &uw) / &determinant;
        if rational::abs(&s) <= integer(1) && rational::abs(&t) <= integer(1) {
            let foot = add(&centre, &add(&scale(&s, &u), &scale(&t, &w)));
            return distance_squared(p, &foot) <= room;
        }
    }
    let corner = |s: i64, t: i64| add(&centre, &add(&scale(&integer(s), &u), &scale(&integer(t), &w)));
    let corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    (0..4).any(|i| from_segment(p, &corners[i], &corners[(i + 1) % 4]) <= room)
}

fn in_hull(v: &HullVolume, p: &Vector) -> Option<bool> {
    if v.topology().dimension() < 3 {
        return None;
    }
    Some(v.topology().triangles().all(|triangle| {
        let [a, b, c] = triangle.map(|i| sub(&point(v.points()[i as usize]), p));
        sign(&dot(&a, &cross(&b, &c))) >= 0
    }))
}
