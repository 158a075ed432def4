//! One volume of any kind about points, with all that is known about its size.

use crate::any::{AnyVolume, VolumeKind};
use crate::bound::{Bound, FitError, Objective};
use crate::hull::convex_hull;
use crate::min_ball::min_ball;
use crate::min_box::{BoxMethod, BoxRequest, NoGap, smallest_box};
use crate::volume::{Cone, Cylinder, Lss, Prism, Rss, Shell, Zonotope};
use kontakt_math::DVec3;
use std::time::Duration;

/// Hulls up to this size get their smallest box proven to rounding, larger ones to [`LARGE_HULL_GAP`].
const SMALL_HULL: usize = 200;
const SMALL_HULL_GAP: f64 = 1e-12;
const LARGE_HULL_GAP: f64 = 1e-6;

/// What a volume is to be. Only boxes have methods and a gap to stop at.
#[derive(Clone, Copy, Debug, Default)]
pub struct FitRequest {
    /// What is to be small.
    pub objective: Objective,
    /// How a box is searched.
    pub method: BoxMethod,
    /// Relative gap at which the exact search may stop; by default it depends on the hull's size.
    pub gap: Option<f64>,
    /// Longest search of a box.
    pub time_limit: Option<Duration>,
}

/// A volume and what is known about it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// It contains every point.
    pub volume: AnyVolume,
    /// How it was found.
    pub method: &'static str,
    /// Certified relative gap to the optimum, or why there is none.
    pub gap: Result<f64, &'static str>,
    /// Whether a gap was left out because proving it takes a search of its own.
    owes_gap: bool,
}

impl FitRequest {
    /// Whether a kind can be asked for so; the text says what it cannot.
    pub fn suits(&self, kind: &VolumeKind) -> Result<(), String> {
        if self.objective != Objective::Volume && by_volume_only(kind.name) {
            return Err(format!("{} is fitted by volume; the objective can be no other", kind.name));
        }
        if self.gap.is_some_and(|gap| gap.is_nan() || gap < 0.0) {
            return Err("the gap must be a number ≥ 0".into());
        }
        Ok(())
    }

    /// Fits a kind about a mesh, or about points where there are no triangles.
    pub fn fit(
        &self,
        kind: &VolumeKind,
        points: &[DVec3],
        triangles: &[[u32; 3]],
    ) -> Result<Fitted, FitError> {
        let found = |volume, method, gap| Fitted { volume, method, gap, owes_gap: false };
        match kind.name {
            "sphere" => {
                let ball = min_ball(points)?;
                let proven = ball.gap().is_finite();
                let gap = if proven { Ok(ball.gap()) } else { Err("no lower bound could be proven") };
                Ok(found(ball.sphere.into(), "exact", gap))
            }
            "obb" => {
                let smallest = smallest_box(points, &self.of_box(points)?)?;
                let owes_gap = smallest.gap == Err(NoGap::NotAsked);
                let gap = smallest.gap.map_err(|_| self.no_gap());
                Ok(Fitted { volume: smallest.obb.into(), method: smallest.method.name(), gap, owes_gap })
            }
            Lss::NAME => Lss::fit_by(points, self.objective).map(|volume| by_search(volume.into())),
            Rss::NAME => Rss::fit_by(points, self.objective).map(|volume| by_search(volume.into())),
            name => {
                let (method, gap) = uniqueness(name);
                Ok(found(kind.fit(points, triangles)?, method, gap))
            }
        }
    }

    /// The same with its gap where the method proves none: that is looked up by a search of its own.
    pub fn certified(&self, fitted: Fitted, points: &[DVec3]) -> Result<Fitted, FitError> {
        if !fitted.owes_gap {
            return Ok(fitted);
        }
        let request = BoxRequest { certify: true, ..self.of_box(points)? };
        let gap = smallest_box(points, &request)?.gap.map_err(|_| self.no_gap());
        Ok(Fitted { gap, owes_gap: false, ..fitted })
    }

    fn of_box(&self, points: &[DVec3]) -> Result<BoxRequest, FitError> {
        let target_gap = match self.gap {
            Some(gap) => gap,
            None if self.method != BoxMethod::Exact => LARGE_HULL_GAP,
            None if convex_hull(points)?.vertices().len() <= SMALL_HULL => SMALL_HULL_GAP,
            None => LARGE_HULL_GAP,
        };
        let FitRequest { objective, method, time_limit, .. } = *self;
        Ok(BoxRequest { objective, method, target_gap, time_limit, certify: false })
    }

    fn no_gap(&self) -> &'static str {
        match self.method {
            BoxMethod::Fast => "the default's capped search proved none here; --method exact does",
            _ => "time was up before anything was proven; see --time-limit",
        }
    }
}

fn by_search(volume: AnyVolume) -> Fitted {
    let (method, gap) = uniqueness("");
    Fitted { volume, method, gap, owes_gap: false }
}

/// Kinds whose search makes the volume small, whatever is asked for.
fn by_volume_only(kind: &str) -> bool {
    [Cylinder::NAME, Cone::NAME, Shell::NAME, Prism::NAME, Zonotope::NAME].contains(&kind)
}

/// How a kind without a search of its own is found, and what that says about its size.
fn uniqueness(kind: &str) -> (&'static str, Result<f64, &'static str>) {
    match kind {
        "aabb" | "hull" => ("unique", Ok(0.0)),
        kind if kind.starts_with("kdop") || kind == "slabs" => {
            ("unique", Err("the only one for its directions; above it by outward rounding alone"))
        }
        _ => ("local search", Err("found by local search; no lower bound is known for this kind")),
    }
}
