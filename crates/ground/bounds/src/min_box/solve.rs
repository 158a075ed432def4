//! From points to the box asked for.

use super::calipers;
use super::cell::rotation;
use super::cost::{cost, reported};
use super::dito;
use super::landscape::Landscape;
use super::method::{BoxCounts, BoxMethod, BoxRequest, NoGap, SmallestBox};
use super::nelder_mead;
use super::powell;
use super::principal::{orthonormal, point_covariance, principal_axes, surface_covariance};
use super::search::{Found, Task, all_orientations, search};
use super::starts::{best_of_starts, grid};
use super::symmetry::least_turn;
use crate::bound::{FitError, Objective};
use crate::hull::frame::Frame;
use crate::hull::{Hull, convex_hull};
use crate::volume::Obb;
use kontakt_math::{DMat3, DVec3};
use kontakt_schedule::Deadline;

/// Gap to which the default method searches.
const FAST_GAP: f64 = 5e-7;
/// Starts of the descents.
const FAST_STARTS: usize = 4;
const MANY_STARTS: usize = 20;

/// The smallest box around the points that the method finds. Fails only for no points, or points that are not finite.
pub fn smallest_box(points: &[DVec3], request: &BoxRequest) -> Result<SmallestBox, FitError> {
    let hull = convex_hull(points)?;
    let body = Body::new(points, &hull, request.objective);
    if let Some(axes) = body.flat_axes() {
        return body.answer(request, &[axes], Some(&Proof { bound: f64::INFINITY, cells: 0 }));
    }
    let local = || points.iter().map(|&p| body.frame.local(p));
    let surface_axes = || principal_axes(surface_covariance(&hull, &body.vertices));
    match request.method {
        BoxMethod::Fast => {
            let surface = surface_axes();
            body.fast(request, surface)
        }
        BoxMethod::Exact => {
            let mut axes: Vec<DMat3> = BoxMethod::ALL[2..]
                .iter()
                .map(|&method| {
                    body.axes_by(method, surface_axes, || principal_axes(point_covariance(local())))
                })
                .collect();
            let uncertified = BoxRequest { method: BoxMethod::Fast, certify: false, ..*request };
            let fast = Body::new(points, &hull, request.objective).fast(&uncertified, surface_axes())?;
            axes.push(fast.obb.axes);
            body.exact(request, axes)
        }
        method => {
            let axes = body.axes_by(method, surface_axes, || principal_axes(point_covariance(local())));
            if !request.certify {
                return body.answer(request, &[axes], None);
            }
            let cost = body.start(axes).1;
            let body = body.aligned(axes);
            let proof = Proof::from(body.prove(request, (DVec3::ZERO, cost)));
            body.answer(request, &[axes], Some(&proof))
        }
    }
}

/// What is known about the optimum, in local units.
struct Proof {
    /// No orientation costs less; minus infinity when nothing is proven, infinity when the answer is the optimum by
    /// construction.
    bound: f64,
    cells: u64,
}

impl From<Found> for Proof {
    fn from(found: Found) -> Proof {
        Proof { bound: found.bound, cells: found.cells }
    }
}

/// The hull's vertices, as given and in local coordinates.
///
/// Orientations are relative to the basis. A good guess as basis lets cells be long along rotations about one of the
/// box's axes and short across, which thin bodies need.
struct Body<'a> {
    hull: &'a Hull,
    objective: Objective,
    frame: Frame,
    originals: Vec<DVec3>,
    /// In the frame's coordinates, then turned by the transposed basis.
    vertices: Vec<DVec3>,
    basis: DMat3,
}

impl<'a> Body<'a> {
    fn new(points: &[DVec3], hull: &'a Hull, objective: Objective) -> Body<'a> {
        let originals: Vec<DVec3> = hull.vertices().iter().map(|&i| points[i as usize]).collect();
        let corner =
            |pick: fn(DVec3, DVec3) -> DVec3| originals.iter().copied().reduce(pick).unwrap_or_default();
        let frame = Frame::new(corner(DVec3::min), corner(DVec3::max));
        let vertices = originals.iter().map(|&p| frame.local(p)).collect();
        Body { hull, objective, frame, originals, vertices, basis: DMat3::IDENTITY }
    }

    /// The same body with other axes as basis.
    fn aligned(mut self, basis: DMat3) -> Body<'a> {
        let back = basis.transpose();
        self.vertices = self.originals.iter().map(|&p| back * self.frame.local(p)).collect();
        self.basis = basis;
        self
    }

    /// The axes of a Rodrigues vector, in the coordinates given.
    fn axes_of(&self, r: DVec3) -> DMat3 {
        if r == DVec3::ZERO { self.basis } else { self.basis * rotation(r) }
    }

    /// Axes for what has no choice: a point; a segment (along it the cost is least: no width is less than zero, and
    /// the diameter is at least the length); a polygon by volume (zero; its least rectangle breaks the tie).
    fn flat_axes(&self) -> Option<DMat3> {
        match (self.hull.dimension(), self.objective) {
            (0, _) => Some(DMat3::IDENTITY),
            (1, _) => Some(orthonormal(self.vertices[1] - self.vertices[0], DVec3::ZERO)),
            (2, Objective::Volume) => {
                let normal = self
                    .hull
                    .triangles()
                    .map(|t| t.map(|v| self.vertices[v as usize]))
                    .take(self.vertices.len() - 2)
                    .map(|[a, b, c]| (b - a).cross(c - a))
                    .sum();
                Some(calipers::around(&self.vertices, normal, Objective::Surface))
            }
            _ => None,
        }
    }

    /// Rodrigues vector and cost of given axes.
    fn start(&self, axes: DMat3) -> (DVec3, f64) {
        let r = least_turn(self.basis.transpose() * axes);
        (r, Landscape::around(&self.vertices, self.objective, DVec3::ZERO, 10.0).cost(r))
    }

    /// Axes by one of the named methods.
    fn axes_by(&self, method: BoxMethod, surface: impl Fn() -> DMat3, points: impl Fn() -> DMat3) -> DMat3 {
        match method {
            BoxMethod::Pca => points(),
            BoxMethod::MinPrincipal => calipers::around(&self.vertices, surface().x_axis, self.objective),
            BoxMethod::MaxPrincipal => calipers::around(&self.vertices, surface().z_axis, self.objective),
            BoxMethod::Dito14 => dito::axes(&self.vertices, self.objective),
            BoxMethod::NelderMead => {
                let given = [least_turn(surface())];
                self.axes_of(best_of_starts(&self.vertices, self.objective, &given, MANY_STARTS).0)
            }
            BoxMethod::Powell => {
                let descended = grid().chain([least_turn(surface())]).map(|start| {
                    let near = Landscape::around(&self.vertices, self.objective, start, 0.3);
                    powell::descend(&near, start, 0.1, 1e-9)
                });
                let best = descended.reduce(|a, b| if b.1 < a.1 { b } else { a });
                self.axes_of(best.map_or(DVec3::ZERO, |(r, _)| r))
            }
            BoxMethod::Fast | BoxMethod::Exact | BoxMethod::HullCovariance => surface(),
        }
    }

    /// Descents, then one search with a limited number of cells.
    fn fast(self, request: &BoxRequest, surface: DMat3) -> Result<SmallestBox, FitError> {
        let given = [DVec3::ZERO, least_turn(surface)];
        let start = best_of_starts(&self.vertices, self.objective, &given, FAST_STARTS);
        let guess = self.axes_of(start.0);
        let body = self.aligned(guess);
        let task = Task {
            objective: body.objective,
            region: all_orientations(),
            tolerance: FAST_GAP,
            cells: 1000 + 6 * body.vertices.len() as u64,
            deadline: Deadline::NEVER,
        };
        let mut found = search(&task, &body.vertices, (DVec3::ZERO, start.1));
        if found.bound == f64::NEG_INFINITY && request.certify {
            found = body.prove(request, (found.best, found.cost));
        }
        let axes = [body.axes_of(body.polished(&found)), guess, DMat3::IDENTITY, surface];
        body.answer(request, &axes, Some(&Proof::from(found)))
    }

    /// The search to the end, started from the best of all other methods.
    fn exact(self, request: &BoxRequest, mut axes: Vec<DMat3>) -> Result<SmallestBox, FitError> {
        axes.push(DMat3::IDENTITY);
        let mut best = (f64::INFINITY, DMat3::IDENTITY);
        for &guess in &axes {
            let cost = self.start(guess).1;
            if cost < best.0 {
                best = (cost, guess);
            }
        }
        let body = self.aligned(best.1);
        let found = body.prove(request, (DVec3::ZERO, best.0));
        axes.push(body.axes_of(found.best));
        body.answer(request, &axes, Some(&Proof::from(found)))
    }

    /// Searches with ever smaller tolerance, so that what is proven when time is up is as good as it can be.
    fn prove(&self, request: &BoxRequest, start: (DVec3, f64)) -> Found {
        let deadline = request.time_limit.map_or(Deadline::NEVER, Deadline::after);
        let mut known = Found { best: start.0, cost: start.1, bound: f64::NEG_INFINITY, cells: 0 };
        known.best = self.polished(&known);
        let target = request.target_gap.max(self.rounding_gap(known.best));
        for tolerance in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 0.0] {
            let tolerance = if tolerance > 2.0 * target { tolerance } else { target };
            let task = Task {
                objective: self.objective,
                region: all_orientations(),
                tolerance,
                cells: u64::MAX,
                deadline,
            };
            let cost = self.start(self.axes_of(known.best)).1.min(known.cost);
            let found = search(&task, &self.vertices, (known.best, cost));
            let bound = known.bound.max(found.bound);
            known = Found { bound, cells: known.cells + found.cells, ..found };
            known.best = self.polished(&known);
            if found.bound == f64::NEG_INFINITY || tolerance <= target {
                break;
            }
        }
        known
    }

    /// The vector of a find after a last descent nearby.
    fn polished(&self, found: &Found) -> DVec3 {
        let near = Landscape::around(&self.vertices, self.objective, found.best, 1e-3);
        nelder_mead::descend(&near, found.best, 1e-4, 1e-13).0
    }

    /// A gap that rounding lets the search prove: some times the relative rounding of the widths' bounds.
    fn rounding_gap(&self, r: DVec3) -> f64 {
        let axes = rotation(r);
        let widths = [0, 1, 2].map(|i| {
            let along = self.vertices.iter().map(|v| axes.col(i).dot(*v));
            let (low, high) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            (high - low).max(1e-30)
        });
        let unit = 200.0 * f64::EPSILON;
        match self.objective {
            Objective::Volume => unit * widths.map(|w| 1.0 / w).into_iter().sum::<f64>(),
            Objective::Surface => {
                unit * widths.into_iter().sum::<f64>() / cost(Objective::Surface, widths).max(1e-30)
            }
            Objective::Diameter => 4.0 * unit,
        }
    }

    /// The least of the boxes with these axes, and how far from the optimum it can be.
    fn answer(
        &self,
        request: &BoxRequest,
        axes: &[DMat3],
        proof: Option<&Proof>,
    ) -> Result<SmallestBox, FitError> {
        let mut obb = Obb::enclosing(axes.first().copied().unwrap_or(DMat3::IDENTITY), &self.originals)?;
        for &other in axes.iter().skip(1) {
            let candidate = Obb::enclosing(other, &self.originals)?;
            if self.cost_of(&candidate) < self.cost_of(&obb) {
                obb = candidate;
            }
        }
        let cost = self.cost_of(&obb);
        let cells = proof.map_or(0, |proof| proof.cells);
        let gap = match proof {
            None => Err(NoGap::NotAsked),
            Some(&Proof { bound, .. }) if bound == f64::NEG_INFINITY => Err(NoGap::Stopped),
            Some(&Proof { bound, .. }) => {
                // The ratio is of what is reported; 16u cover the rounding of the cost.
                let (least, value) = (reported(self.objective, bound), reported(self.objective, cost));
                Ok((1.0 - least / value * (1.0 - 8.0 * f64::EPSILON)).max(0.0))
            }
        };
        let gap = if self.flat_axes().is_some() { Ok(0.0) } else { gap };
        let widths = (obb.half_extents * 2.0).to_array();
        Ok(SmallestBox {
            obb,
            method: request.method,
            objective: self.objective,
            value: value_of(self.objective, widths),
            gap,
            counts: BoxCounts { hull_vertices: self.vertices.len(), cells },
        })
    }

    /// The cost of a box in local units.
    fn cost_of(&self, obb: &Obb) -> f64 {
        cost(self.objective, (obb.half_extents * self.frame.scale() * 2.0).to_array())
    }
}

/// The objective's value of a box with these widths, safe from overflow of squares.
fn value_of(objective: Objective, widths: [f64; 3]) -> f64 {
    match objective {
        Objective::Diameter => widths[0].hypot(widths[1]).hypot(widths[2]),
        _ => reported(objective, cost(objective, widths)),
    }
}
