//! A piece of an outline: how great a value can be on it, and a point of the body there.

use crate::body::Body;
use crate::enclosing::crest;
use crate::enclosing::stretch::most_along;
use crate::enclosing::turned::most_over;
use crate::extrema::Aim;
use crate::patch::Patch;
use crate::stretch::Stretch;
use crate::surface::Surface;
use crate::tessellate::Domain;
use kontakt_math::DVec3;

/// A piece of an outline.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "most cells are pieces of faces, and all are copied out of one list"
)]
pub(super) enum Cell {
    /// Of a face.
    Patch(Patch),
    /// Of an edge.
    Edge(Stretch),
    /// A point, and whether it is known to be one of the body's.
    Point(DVec3, bool),
}

/// A point of a body, up to a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) point: DVec3,
    /// **Never less** than its distance from the body's boundary, up to the model's gaps.
    pub(super) off: f64,
}

/// What is known of a value on a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// **Never less** than the greatest value on the cell, up to rounding and the model's gaps.
    pub(super) upper: f64,
    /// Where it is great.
    pub(super) spot: Option<Spot>,
}

impl Cell {
    pub(super) fn seen(&self, aim: &Aim, body: &Body) -> Seen {
        match self {
            Cell::Patch(patch) => on_patch(aim, body, patch),
            Cell::Edge(side) => {
                let over = [side.from.min(side.to), side.from.max(side.to)];
                let most = most_along(aim, &body.brep().edges()[side.edge as usize].curve, over);
                Seen { upper: most.upper, spot: Some(Spot { point: most.point, off: 0.0 }) }
            }
            Cell::Point(point, known) => {
                let spot = known.then_some(Spot { point: *point, off: 0.0 });
                Seen { upper: aim.value(*point), spot }
            }
        }
    }

    /// Two halves, unless it cannot become smaller.
    pub(super) fn halves(&self, body: &Body) -> Option<[Cell; 2]> {
        match self {
            Cell::Patch(patch) => {
                let halves = patch.halves(body.on());
                (patch.excess() > 0.0).then(|| halves.map(Cell::Patch))
            }
            Cell::Edge(side) => {
                let middle = 0.5 * (side.from + side.to);
                let parts = middle != side.from && middle != side.to;
                parts.then_some([
                    Cell::Edge(Stretch { to: middle, ..*side }),
                    Cell::Edge(Stretch { from: middle, ..*side }),
                ])
            }
            Cell::Point(..) => None,
        }
    }
}

/// On a patch: at the corners of its triangle and the radius beyond; on the whole sphere it is part of; or over its box of parameters.
fn on_patch(aim: &Aim, body: &Body, patch: &Patch) -> Seen {
    let domain = &body.carrier().domains[patch.face as usize];
    let (value, corner) = best_of(aim, patch.corners);
    let flat = value + aim.factor() * patch.excess();
    let at_corner = Seen { upper: flat, spot: Some(Spot { point: corner, off: 0.0 }) };
    match domain {
        Domain::Sphere { frame, radius }
        | Domain::Surface { surface: Surface::Sphere { frame, radius }, .. } => {
            if !crest::on_sphere(aim, patch, frame.origin, *radius) {
                return Seen { upper: f64::NEG_INFINITY, spot: None };
            }
            let whole = aim.most_in_ball(frame.origin, *radius);
            let point = patch.on_surface(body.on(), patch.flat_near(aim.onward(frame.origin, *radius)));
            let off = body.off_face(patch, point) - patch.floor;
            better(aim, Seen { upper: flat.min(whole), ..at_corner }, Spot { point, off })
        }
        Domain::Surface { surface: Surface::Nurbs(nurbs), .. } if !crest::on_spline(aim, patch, nurbs) => {
            Seen { upper: f64::NEG_INFINITY, spot: None }
        }
        Domain::Surface { surface, .. } => on_turned(aim, body, patch, surface)
            .map_or(at_corner, |(upper, spot)| {
                better(aim, Seen { upper: flat.min(upper), ..at_corner }, spot)
            }),
    }
}

/// Over the box of parameters of a surface that is turned about an axis.
fn on_turned(aim: &Aim, body: &Body, patch: &Patch, surface: &Surface) -> Option<(f64, Spot)> {
    let most = most_over(aim, surface, patch.over())?;
    let edges = body.brep().edges();
    let side = |side: &Stretch| side.reach(edges);
    let aside = patch.sides().iter().flatten().map(side).fold(0.0, f64::max);
    let [u, v] = patch.nearest_at(most.at);
    let point = surface.point(u, v);
    Some((most.upper + aim.factor() * aside, Spot { point, off: aside }))
}

fn best_of(aim: &Aim, points: [DVec3; 3]) -> (f64, DVec3) {
    points
        .into_iter()
        .map(|x| (aim.value(x), x))
        .fold((f64::NEG_INFINITY, points[0]), |best, next| if next.0 > best.0 { next } else { best })
}

/// With the other spot where it is greater, also after what it may be off by.
fn better(aim: &Aim, seen: Seen, other: Spot) -> Seen {
    let worth = |spot: &Spot| aim.value(spot.point) - aim.factor() * spot.off;
    let is_better = seen.spot.is_none_or(|spot| worth(&other) > worth(&spot));
    if is_better { Seen { spot: Some(other), ..seen } } else { seen }
}
