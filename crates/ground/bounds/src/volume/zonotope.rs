//! Zonotope: the Minkowski sum of segments (Guibas, Nguyen, Zhang 2003). Canonical form: centre and generators.

use super::axial::{checked_point, length, pose_error};
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points};
use crate::probe::Point;
use crate::search::{
    candidate_axes, extreme_points, frame_along, normalised, outline, pattern_search, principal_axes,
    spread_directions, unit,
};
use crate::separation;
use crate::sets::{Both, PointSet, farthest_from};
use kontakt_math::round::{add_up, dot_down, dot_up, length_up};
use kontakt_math::{DMat3, DQuat, DVec3, Pose};

/// The set {c + Σ sᵢgᵢ : |sᵢ| ≤ 1}.
#[derive(Clone, Debug, PartialEq)]
pub struct Zonotope {
    centre: DVec3,
    generators: Vec<DVec3>,
}

/// Above this number of generators corners are not enumerated.
const MANY: usize = 14;

impl Zonotope {
    /// A zonotope; generators may be zero, parallel or none at all (a point), but must be finite.
    pub fn new(centre: DVec3, generators: Vec<DVec3>) -> Result<Zonotope, FitError> {
        checked_point("zonotope", "centre", centre)?;
        for (i, g) in generators.iter().enumerate() {
            checked_point("zonotope", &format!("generator {i}"), *g)?;
        }
        Ok(Zonotope { centre, generators })
    }

    /// Centre of symmetry.
    pub fn middle(&self) -> DVec3 {
        self.centre
    }

    /// Half of each segment summed.
    pub fn generators(&self) -> &[DVec3] {
        &self.generators
    }

    /// Encloses a convex set: seven generator directions (the frame's axes and its diagonals), lengths and centre by
    /// a search over the volume, never worse than the box in that frame; **certified** by [`scale_to_enclose`].
    fn around(set: &impl Support, frame: DMat3) -> Result<Zonotope, FitError> {
        let too_large = || FitError::too_large(Zonotope::NAME);
        let middle = set.centre();
        let size = farthest_from(set, middle);
        if !(middle.is_finite() && size.is_finite()) {
            return Err(too_large());
        }
        // Too small for a search: a box of a few of the smallest doubles more than the set needs.
        if size < f64::MIN_POSITIVE {
            let edge = size + f64::from_bits(8);
            return Zonotope::new(middle, [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * edge).to_vec());
        }
        let directions = directions_of(frame);
        let (offset, lengths) = best_lengths(set, &directions, middle, size);
        let centre = middle + offset * size;
        // A flat set has generators without length; they get a few roundings, more when the proof asks for it.
        let mut thickness = 4.0 * f64::EPSILON * (1.0 + length(centre) / size);
        for _ in 0..40 {
            let generators: Vec<DVec3> = directions
                .iter()
                .zip(&lengths)
                .enumerate()
                .map(|(i, (direction, length))| {
                    *direction * (if i < 3 { length.max(thickness) } else { *length } * size)
                })
                .filter(|g| *g != DVec3::ZERO)
                .collect();
            let candidate = Zonotope { centre, generators };
            if let Some(enclosing) = scale_to_enclose(candidate, set, size) {
                return if enclosing.generators.iter().all(|g| g.is_finite()) {
                    Ok(enclosing)
                } else {
                    Err(too_large())
                };
            }
            thickness *= 4.0;
        }
        Err(too_large())
    }

    /// All of space: what a union or an image too large for doubles becomes.
    fn everything() -> Zonotope {
        let generators = [DVec3::X, DVec3::Y, DVec3::Z]
            .map(|axis| axis.map(|x| if x > 0.0 { f64::INFINITY } else { 0.0 }));
        Zonotope { centre: DVec3::ZERO, generators: generators.to_vec() }
    }

    fn or_everything(self) -> Zonotope {
        let finite = self.centre.is_finite() && self.generators.iter().all(|g| g.is_finite());
        if finite { self } else { Zonotope::everything() }
    }

    /// Corners for a search: the farthest points in directions spread over the sphere.
    fn samples(&self) -> Vec<DVec3> {
        spread_directions(48).flat_map(|d| [self.farthest(d), self.farthest(-d)]).collect()
    }

    /// The longest diagonal, by all sign patterns when they are few, else over the corners of all facets.
    fn diameter(&self) -> f64 {
        let g = &self.generators;
        if g.len() <= MANY {
            let patterns = 1_u32 << g.len().saturating_sub(1);
            let sums = (0..patterns).map(|signs| {
                g.iter().enumerate().map(|(i, g)| if signs >> i & 1 == 1 { -*g } else { *g }).sum::<DVec3>()
            });
            return 2.0 * sums.map(length).fold(0.0, f64::max);
        }
        let mut longest = 0.0_f64;
        for (i, a) in g.iter().enumerate() {
            for b in &g[..i] {
                let corner = self.farthest(a.cross(*b)) - self.centre;
                longest = longest.max(length(corner)).max(length(self.farthest(corner) - self.centre));
            }
        }
        2.0 * longest
    }
}

fn directions_of(frame: DMat3) -> [DVec3; 7] {
    let diagonal = 1.0 / 3.0_f64.sqrt();
    let corner = |x: f64, y: f64, z: f64| frame * (DVec3::new(x, y, z) * diagonal);
    [
        frame.x_axis,
        frame.y_axis,
        frame.z_axis,
        corner(1.0, 1.0, 1.0),
        corner(1.0, 1.0, -1.0),
        corner(1.0, -1.0, 1.0),
        corner(-1.0, 1.0, 1.0),
    ]
}

/// Relative lengths (and offset of the centre) with a small volume. A zonotope with these directions holds the set when
/// Σ lᵢ|n·uᵢ| ≥ w(n) for the normals n = uⱼ × uₖ of all possible facets, w(n) the set's half width about the centre.
fn best_lengths(set: &impl Support, directions: &[DVec3; 7], middle: DVec3, size: f64) -> (DVec3, Vec<f64>) {
    let mut facets: Vec<(DVec3, [f64; 7], f64, f64)> = Vec::new();
    for (i, a) in directions.iter().enumerate() {
        for b in &directions[..i] {
            let Some(n) = unit(a.cross(*b)) else { continue };
            let above = (set.reach(n) - n.dot(middle)) / size;
            let below = (set.reach(-n) + n.dot(middle)) / size;
            facets.push((n, directions.map(|u| n.dot(u).abs()), above, below));
        }
    }
    // The box in the frame is the start: its offset and half edges.
    let edges = directions[..3].iter().map(|u| {
        let (above, below) =
            ((set.reach(*u) - u.dot(middle)) / size, (set.reach(-*u) + u.dot(middle)) / size);
        (0.5 * (above - below), 0.5 * (above + below))
    });
    let (offsets, halves): (Vec<f64>, Vec<f64>) = edges.unzip();
    let scaled_lengths = |p: &[f64]| -> [f64; 7] {
        let centre = directions[0] * p[7] + directions[1] * p[8] + directions[2] * p[9];
        let lengths: [f64; 7] = std::array::from_fn(|i| p[i].abs() + if i < 3 { 1e-7 } else { 0.0 });
        let factor = facets.iter().fold(0.0_f64, |worst, (n, shares, above, below)| {
            let width = (above - n.dot(centre)).max(below + n.dot(centre));
            let reached: f64 = shares.iter().zip(&lengths).map(|(share, length)| share * length).sum();
            worst.max(width / reached)
        });
        lengths.map(|length| length * factor)
    };
    let cost = |p: &[f64]| volume_of(directions, &scaled_lengths(p));
    let box_start: Vec<f64> = halves.iter().chain(&[0.0; 4]).chain(&offsets).copied().collect();
    let round_start: Vec<f64> = (0..7).map(|_| 0.3).chain(offsets.iter().copied()).collect();
    let (best, _) = [box_start, round_start]
        .iter()
        .map(|start| pattern_search(start, 0.1, 1e-6, cost))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or_default();
    let lengths = scaled_lengths(&best).map(|l| if l < 1e-6 { 0.0 } else { l });
    (directions[0] * best[7] + directions[1] * best[8] + directions[2] * best[9], lengths.to_vec())
}

/// Volume of the zonotope with the generators lᵢuᵢ: 8 Σ |det| over all triples.
fn volume_of(directions: &[DVec3], lengths: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, a) in directions.iter().enumerate() {
        for (j, b) in directions[..i].iter().enumerate() {
            let normal = a.cross(*b) * (lengths[i] * lengths[j]);
            sum += directions[..j].iter().zip(lengths).map(|(c, l)| normal.dot(*c).abs() * l).sum::<f64>();
        }
    }
    8.0 * sum
}

/// The zonotope, enlarged by at most one part in 1e6, with the set proven inside; `None` when that does not suffice.
///
/// Proof: a full-dimensional zonotope is {x : |n·(x − c)| ≤ Σ|n·gₖ| for all n = gᵢ × gⱼ}. The computed n̂ is within 4u of the
/// cross product with absolute values, of length at most 2|gᵢ||gⱼ|: δ = 8u|gᵢ||gⱼ|. So n·(x − c) ≤ reach(n̂) − n̂·c + δρ
/// with ρ ≥ |x − c|, and Σ|n·gₖ| ≥ Σ|n̂·gₖ| − δΣ|gₖ|. Both are rounded outward; the quotient's excess over 1 is the factor.
fn scale_to_enclose(mut zonotope: Zonotope, set: &impl Support, size: f64) -> Option<Zonotope> {
    // A power of two, so that scaling is exact and products neither over- nor underflow.
    let scale = 2.0_f64.powi(-(size.log2().floor() as i32).clamp(-1000, 1000));
    for _ in 0..8 {
        let scaled: Vec<DVec3> = zonotope.generators.iter().map(|g| *g * scale).collect();
        let radius = farthest_from(set, zonotope.centre) * scale;
        let total: f64 = scaled.iter().map(|g| length_up(*g)).sum();
        let mut worst = 0.0_f64;
        for (i, a) in scaled.iter().enumerate() {
            for b in &scaled[..i] {
                let n = a.cross(*b);
                let delta = 4.0 * f64::EPSILON * length_up(*a) * length_up(*b);
                let reached =
                    scaled.iter().map(|g| dot_down(n, *g).max(dot_down(-n, *g)).max(0.0)).sum::<f64>();
                let reached = reached * (1.0 - 16.0 * f64::EPSILON) - delta * total * 1.01;
                for n in [n, -n] {
                    let width =
                        add_up(set.reach(n), dot_up(-n, zonotope.centre)) * scale + delta * radius * 1.01;
                    let ratio = width * (1.0 + 4.0 * f64::EPSILON) / reached;
                    worst = if reached > 0.0 { worst.max(ratio) } else { f64::INFINITY };
                }
            }
        }
        if worst <= 1.0 {
            return Some(zonotope);
        }
        if worst > 1.0 + 1e-6 || worst.is_nan() {
            return None;
        }
        for g in &mut zonotope.generators {
            *g *= worst * (1.0 + 4.0 * f64::EPSILON);
        }
    }
    None
}

/// The frame whose box around points in the unit ball is smallest, from the candidate axes and a search.
fn best_frame(points: &[DVec3]) -> DMat3 {
    const THICKNESS: f64 = 1e-7;
    let cost = |frame: &DMat3| {
        let first = points.first().copied().unwrap_or(DVec3::ZERO);
        let local = frame.transpose();
        let start = (local * first, local * first);
        let (low, high) =
            points.iter().fold(start, |(low, high), p| (low.min(local * *p), high.max(local * *p)));
        (high - low + DVec3::splat(THICKNESS)).element_product()
    };
    let turned =
        |frame: &DMat3, p: &[f64]| *frame * DMat3::from_quat(DQuat::from_scaled_axis(DVec3::from_slice(p)));
    let starts =
        candidate_axes(points).into_iter().map(frame_along).chain([DMat3::IDENTITY, principal_axes(points)]);
    let searched = starts.map(|frame| {
        let (best, least) = pattern_search(&[0.0; 3], 0.2, 1e-7, |p| cost(&turned(&frame, p)));
        (least, turned(&frame, &best))
    });
    searched.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(DMat3::IDENTITY, |(_, frame)| frame)
}

impl Support for Zonotope {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.generators
            .iter()
            .fold(self.centre, |at, g| if direction.dot(*g) < 0.0 { at - *g } else { at + *g })
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let start = dot_up(direction, self.centre);
        self.generators
            .iter()
            .fold(start, |sum, g| add_up(sum, dot_up(direction, *g).max(dot_up(-direction, *g))))
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }
}

impl Bound for Zonotope {
    const NAME: &'static str = "zonotope";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        check_points(points)?;
        let points = &extreme_points(points);
        if points.iter().all(|p| *p == points[0]) {
            return Zonotope::new(points[0], Vec::new());
        }
        let (scaled, _, _) = normalised(&outline(points));
        // The frame found on the outline may be worse than the plain axes for all points.
        let [turned, plain] =
            [best_frame(&scaled), DMat3::IDENTITY].map(|frame| Zonotope::around(&PointSet(points), frame));
        match (turned, plain) {
            (Ok(turned), Ok(plain)) if plain.measure().volume < turned.measure().volume => Ok(plain),
            (Ok(turned), _) => Ok(turned),
            (Err(_), plain) => plain,
        }
    }

    fn merge(&self, other: &Self) -> Self {
        let samples: Vec<DVec3> = self.samples().into_iter().chain(other.samples()).collect();
        let (scaled, _, _) = normalised(&samples);
        Zonotope::around(&Both(self, other), best_frame(&scaled)).unwrap_or_else(|_| {
            // The sum of both and of a box that holds the roundings: c₁ − c and c₂ − c are ± the first generator.
            let mut generators = vec![other.centre * 0.5 - self.centre * 0.5];
            generators.extend(self.generators.iter().chain(&other.generators));
            let slack = 8.0 * f64::EPSILON * (length_up(self.centre) + length_up(other.centre));
            generators.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * slack));
            Zonotope { centre: self.centre * 0.5 + other.centre * 0.5, generators }.or_everything()
        })
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        // The image's points are within `error` of those the rotated generators give: the ball of that radius is added.
        let total: f64 = self.generators.iter().map(|g| length_up(*g)).sum();
        let error = pose_error(a_from_b, length_up(self.centre), total);
        let generators = self.generators.iter().map(|g| a_from_b.rotate(*g)).collect();
        with_ball(Zonotope { centre: a_from_b.apply(self.centre), generators }, error).or_everything()
    }

    fn measure(&self) -> Measure {
        // Scaled to unit size, so that products overflow only where the result does.
        let size = self.generators.iter().fold(0.0_f64, |m, g| m.max(g.abs().max_element()));
        if size == 0.0 {
            return Measure::default();
        }
        if size == f64::INFINITY {
            return Measure::INFINITE;
        }
        let g: Vec<DVec3> = self.generators.iter().map(|g| *g / size).collect();
        let mut pairs = 0.0;
        for (i, a) in g.iter().enumerate() {
            pairs += g[..i].iter().map(|b| length(a.cross(*b))).sum::<f64>();
        }
        Measure {
            volume: volume_of(&g, &vec![1.0; g.len()]) * size * size * size,
            surface: 8.0 * pairs * size * size,
            diameter: self.diameter(),
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("centre", self.centre.into()), ("generators", Parameter::Vectors(self.generators.clone()))]
    }

    fn contains(&self, point: DVec3) -> bool {
        separation::may_overlap(self, &Point(point))
    }

    fn may_overlap(&self, other: &Self) -> bool {
        separation::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        separation::gap_below(self, other)
    }
}

/// Encloses the zonotope plus a ball of radius `r`: three generators that span space well are lengthened, or, when there
/// are none, a small box is added.
///
/// Proof: with a, b, c a basis, a vector v of the ball is αa + βb + γc with |α| = |v·(b×c)|/|det| ≤ r|b×c|/|det|, and
/// likewise β, γ. So lengthening a by the factor 1 + r|b×c|/|det| (and b, c) adds at least the ball.
fn with_ball(mut zonotope: Zonotope, r: f64) -> Zonotope {
    let g = &zonotope.generators;
    let longest = |key: &dyn Fn(DVec3) -> f64| (0..g.len()).max_by(|i, j| key(g[*i]).total_cmp(&key(g[*j])));
    let a = longest(&|v| length(v));
    let b = a.and_then(|a| longest(&|v| length(g[a].cross(v))));
    let c = a.zip(b).and_then(|(a, b)| longest(&|v| g[a].cross(g[b]).dot(v).abs()));
    if let (Some(a), Some(b), Some(c)) = (a, b, c) {
        let [u, v, w] = [g[a], g[b], g[c]];
        let det = u.cross(v).dot(w).abs();
        let more = [v.cross(w), w.cross(u), u.cross(v)].map(|n| 1.01 * r * length(n) / det);
        let well_spanned = det > 1e-3 * length(u.cross(v)) * length(w);
        if well_spanned && more.iter().all(|m| *m < 1e-3) {
            for (i, m) in [a, b, c].into_iter().zip(more) {
                zonotope.generators[i] *= 1.0 + m + 2.0 * f64::EPSILON;
            }
            return zonotope;
        }
    }
    zonotope.generators.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * r.next_up()));
    zonotope
}
