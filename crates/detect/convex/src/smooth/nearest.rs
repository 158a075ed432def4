//! The distance of two cores: GJK for the coarse, Newton's method on the pieces it rests on for the fine.

use super::active::Active;
use super::ascent::{Stand, climb};
use super::pair::Pair;
use super::quadric::Quadric;
use super::simplex::Simplex;
use kontakt_math::DVec3;

/// Steps of GJK at most. A curved pair needs about ten; what is left then is in the bounds.
const STEPS: usize = 96;

/// How often a simplex that rounding has spoilt is thrown away.
const RESTARTS: usize = 3;

/// What is known of the signed separation of two cores, in A's frame. Numbers are computed ones; the pair's noise is not yet
/// taken off.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
    /// The direction of the largest gap found.
    pub(super) stand: Stand,
    /// At most this far apart; infinite when unknown.
    pub(super) upper: f64,
    /// Points that far apart.
    pub(super) points: (DVec3, DVec3),
    /// The pieces that the points rest on, where they are others than those of the stand.
    active: Option<Active>,
    /// Radius of a ball about the origin inside of the difference: the cores overlap at least that deep.
    pub(super) enclosed: f64,
}

impl Nearest {
    fn new(stand: Stand) -> Nearest {
        let points = (stand.view.a.point, stand.view.b_in_a);
        Nearest {
            stand,
            upper: stand.view.w.length(),
            points,
            active: Some(Active::single(&stand)),
            enclosed: 0.0,
        }
    }

    fn offer_stand(&mut self, stand: &Stand) {
        if stand.gap > self.stand.gap {
            self.stand = *stand;
        }
    }

    fn offer_points(&mut self, points: (DVec3, DVec3)) -> bool {
        let length = (points.1 - points.0).length();
        let better = length < self.upper;
        if better {
            self.upper = length;
            self.points = points;
        }
        better
    }

    fn offer_simplex(&mut self, simplex: &Simplex) {
        if self.offer_points(simplex.points()) {
            self.active = Active::of_simplex(simplex);
        }
    }

    /// The pieces that the points rest on.
    pub(super) fn active(&self) -> Active {
        self.active.clone().unwrap_or_else(|| Active::single(&self.stand))
    }

    /// Whether the ends are as near to each other as rounding lets them.
    fn is_done(&self, pair: &Pair) -> bool {
        self.upper - self.stand.gap <= 0.5 * pair.noise
    }
}

/// The nearest points of two cores, or that they overlap. `hint` is a direction from A to B, or zero.
pub(super) fn nearest(pair: &Pair, hint: DVec3) -> Nearest {
    let first = Stand::new(pair, hint)
        .or_else(|| Stand::new(pair, pair.shift()))
        .or_else(|| Stand::new(pair, DVec3::X));
    let Some(first) = first else { return Nearest::unknown(pair) };
    let start = if pair.is_smooth() { smooth_top(pair, first) } else { first };
    let mut found = Nearest::new(start);
    if found.is_done(pair) {
        return found;
    }
    by_simplex(pair, &mut found);
    found
}

/// A local maximum of the gap of smooth cores: the nearest points where they are separate.
fn smooth_top(pair: &Pair, first: Stand) -> Stand {
    let towards = if first.gap > 0.0 { first.n * first.gap } else { pair.shift() };
    let near = Quadric::new(pair).and_then(|quadric| quadric.newton(towards));
    let start = near.and_then(|direction| Stand::new(pair, direction)).unwrap_or(first);
    climb(pair, start, 40)
}

impl Nearest {
    /// Nothing is known: not finite input.
    fn unknown(pair: &Pair) -> Nearest {
        let view = pair.look(DVec3::X);
        let stand = Stand { n: DVec3::X, view, gap: f64::NEG_INFINITY };
        let points = (view.a.point, view.b_in_a);
        Nearest { stand, upper: f64::INFINITY, points, active: None, enclosed: 0.0 }
    }
}

/// GJK. The nearest point of the simplex only comes nearer; the lower bound is the best of all directions seen.
fn by_simplex(pair: &Pair, found: &mut Nearest) {
    let mut simplex = Simplex::new(found.stand.view);
    let mut restarts = 0;
    for round in 0..STEPS {
        found.offer_simplex(&simplex);
        let Some(stand) = outlook(pair, &simplex) else { return };
        found.offer_stand(&stand);
        if found.is_done(pair) {
            return;
        }
        // The pieces settle after a few steps; from then on Newton's method is worth a try.
        let polished = if round >= 2 { polish(pair, found, &simplex, &stand) } else { None };
        if found.is_done(pair) {
            return;
        }
        let mut moved = simplex.insert(stand.view);
        if let Some(better) = polished
            && simplex.enclosed == 0.0
            && simplex.count < 4
        {
            moved |= simplex.insert(better.view);
        }
        if simplex.enclosed > 0.0 {
            found.enclosed = simplex.enclosed;
            found.points = simplex.points();
            found.upper = 0.0;
            return;
        }
        if simplex.nearest.length() <= 0.5 * pair.noise {
            found.offer_simplex(&simplex);
            return;
        }
        if !moved {
            // Rounding has spoilt the simplex: start again from the best direction.
            restarts += 1;
            if restarts > RESTARTS {
                return;
            }
            found.offer_simplex(&simplex);
            simplex = Simplex::new(found.stand.view);
        }
    }
}

/// Looks along the nearest point of a simplex, and squarely to the simplex where it is far longer than that is far.
fn outlook(pair: &Pair, simplex: &Simplex) -> Option<Stand> {
    let stand = Stand::new(pair, simplex.nearest)?;
    if simplex.nearest.length() > 1e-5 * pair.size {
        return Some(stand);
    }
    Stand::new(pair, simplex.square()).filter(|square| square.gap > stand.gap).or(Some(stand))
}

/// Tries the pieces of the simplex together with the newest; gives the direction reached.
fn polish(pair: &Pair, found: &mut Nearest, simplex: &Simplex, stand: &Stand) -> Option<Stand> {
    let mut best = None;
    let of_simplex = Active::of_simplex(simplex);
    let mut with_newest = of_simplex.clone();
    if let Some(active) = &mut with_newest {
        let known = active.count;
        if !active.join(stand.view, 0.0) || active.count == known {
            with_newest = None;
        }
    }
    for mut active in [of_simplex, with_newest].into_iter().flatten() {
        if !active.polish(pair, 6) {
            continue;
        }
        let Some(top) = Stand::new(pair, active.n) else { continue };
        found.offer_stand(&top);
        if found.offer_points(active.points()) {
            found.active = Some(active);
        }
        best = Some(top);
        if found.is_done(pair) {
            break;
        }
    }
    best
}
