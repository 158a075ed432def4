//! The order in which two bodies are taken, whichever way they are given.

use crate::{Core, PlacedShape, Shape};
use kontakt_math::DVec3;
use std::cmp::Ordering;

/// Whether two bodies are to be taken in the other order, so that no answer depends on the order they are given in. Bodies are
/// compared by kind, then by a few of their numbers, then by their poses, then by all numbers there are. Only users' sets, which have
/// none, and bodies that are the same keep the order given.
pub(crate) fn in_other_order(a: &PlacedShape, b: &PlacedShape) -> bool {
    // This is the first look at both.
    for body in [a, b] {
        if let Core::Hull(hull) = body.shape.core() {
            hull.prefetch_vertices();
        }
    }
    for body in [a, b] {
        if let Core::Hull(hull) = body.shape.core() {
            hull.prefetch();
        }
    }
    let by_kind = rank(a.shape).cmp(&rank(b.shape));
    if by_kind != Ordering::Equal {
        return by_kind == Ordering::Greater;
    }
    let by_size = compare(&numbers(a.shape), &numbers(b.shape));
    let by_size = by_size.then_with(|| compare(&first(a.shape), &first(b.shape)));
    let by_place = by_size.then_with(|| compare(&places(a), &places(b)));
    by_place.then_with(|| compare_all(a.shape, b.shape)) == Ordering::Greater
}

/// Unions of as many parts, the first at the same place, hulls with a common vertex: few are so much alike.
#[cold]
fn compare_all(a: &Shape, b: &Shape) -> Ordering {
    let [mut of_a, mut of_b] = [Vec::new(), Vec::new()];
    add_all_numbers(a, &mut of_a);
    add_all_numbers(b, &mut of_b);
    let by_number = of_a.iter().zip(&of_b).map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne());
    by_number.unwrap_or_else(|| of_a.len().cmp(&of_b.len()))
}

fn add_all_numbers(shape: &Shape, all: &mut Vec<f64>) {
    all.push(f64::from(rank(shape)));
    all.extend(shape.radii());
    match shape.core() {
        Core::Segment(ends) => all.extend(ends.iter().flat_map(DVec3::to_array)),
        Core::Triangle(corners) => all.extend(corners.iter().flat_map(DVec3::to_array)),
        Core::Hull(hull) => all.extend(hull.vertices().iter().flat_map(DVec3::to_array)),
        Core::Union(union) => {
            // Unions hold no unions: they were flattened when made.
            for leaf in union.leaves() {
                add_all_numbers(leaf.shape(), all);
                all.extend(places(&leaf.placed()));
            }
        }
        _ => all.extend(numbers(shape)),
    }
}

#[inline(always)]
fn compare<const N: usize>(a: &[f64; N], b: &[f64; N]) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        let order = x.total_cmp(y);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

fn rank(shape: &Shape) -> u8 {
    match shape.core() {
        Core::HalfSpace { .. } => 0,
        Core::Point => 1,
        Core::Segment(_) => 2,
        Core::Triangle(_) => 3,
        Core::Box(_) => 4,
        Core::Hull(_) => 5,
        Core::Ellipsoid(_) => 6,
        Core::Cylinder { .. } => 7,
        Core::Cone { .. } => 8,
        Core::User(_) => 9,
        Core::Union(_) => 10,
    }
}

/// Numbers that tell shapes of one kind apart, for most of them.
fn numbers(shape: &Shape) -> [f64; 5] {
    let [round, margin] = shape.radii();
    let [p, q, r, s] = match shape.core() {
        Core::Point | Core::User(_) => [0.0; 4],
        Core::Segment([a, b]) => [a.x, a.y, b.x, b.z],
        Core::Triangle([a, b, c]) => [a.x, b.y, c.z, a.z],
        Core::Box(size) | Core::Ellipsoid(size) => [size.x, size.y, size.z, 0.0],
        Core::Hull(hull) => hull.numbers(),
        Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } => {
            [*half_length, *radius, 0.0, 0.0]
        }
        Core::HalfSpace { normal, offset } => [normal.x, normal.y, normal.z, *offset],
        Core::Union(union) => {
            let first = union.leaves().first().map(|leaf| leaf.chain().composed().translation());
            let first = first.unwrap_or_default();
            [union.leaves().len() as f64, first.x, first.y, first.z]
        }
    };
    // However a radius is made up: in a union it may be so in many ways.
    [p, q, r, s, round + margin]
}

/// The first vertex of a hull, which tells it from one that is as large, its mirror image say.
fn first(shape: &Shape) -> [f64; 3] {
    if let Core::Hull(hull) = shape.core() { hull.vertex(0).to_array() } else { [0.0; 3] }
}

fn places(body: &PlacedShape) -> [f64; 7] {
    let (t, q) = (body.pose.translation(), body.pose.given_rotation());
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}
