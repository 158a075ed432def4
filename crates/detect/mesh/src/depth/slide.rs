//! Translations of B that put a plane between the bodies.

use super::outline::compare;
use super::sample::Cells;
use crate::face_pair::FacePair;
use crate::mesh::Outline;
use crate::space::Space;
use kontakt_answers::Side;
use kontakt_math::DVec3;

/// A translation of B in A's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    /// To rounding.
    pub(super) push: DVec3,
    /// The least length along this direction that separates the hulls; **never less** than the depth for the best one.
    pub(super) length: f64,
}

/// How many directions are worth trials.
const MOST: usize = 4;

/// The directions along which the hulls come free soonest, among the axes of both bodies, the normal given, and normals of faces
/// that meet and their cross products. Of directions alike to rounding the first of their coordinates.
pub(super) fn promising(
    space: &Space,
    outlines: [&Outline; 2],
    normal: DVec3,
    pairs: &[FacePair],
) -> Vec<Slide> {
    let turn = space.between.turn();
    let mut ways = vec![normal];
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        ways.extend([axis, -axis, turn * axis, turn * -axis]);
    }
    let normal_of = |side: Side, face: u32| {
        let [a, b, c] = space.mesh(side).faces().triangle_points(face as usize);
        let n = (b - a).cross(c - a).normalize_or_zero();
        if side == Side::A { n } else { turn * n }
    };
    for pair in sampled(space, pairs) {
        let (n, m) = (normal_of(Side::A, pair.a), normal_of(Side::B, pair.b));
        let across = n.cross(m).normalize_or_zero();
        ways.extend([n, -n, m, -m, across, -across]);
    }
    let b: Vec<DVec3> = outlines[1].vertices().iter().map(|&x| space.between.b_in_a(x)).collect();
    let mut slides: Vec<Slide> = Vec::new();
    for n in ways.into_iter().filter(|n| *n != DVec3::ZERO) {
        let most =
            |points: &[DVec3], n: DVec3| points.iter().map(|x| n.dot(*x)).fold(f64::NEG_INFINITY, f64::max);
        let length = most(outlines[0].vertices(), n) + most(&b, -n);
        let known = slides.iter().any(|slide| (slide.push / slide.length).distance(n) < 1e-7);
        if length > 0.0 && !known {
            slides.push(Slide { push: n * length, length });
        }
    }
    // Numbers that differ by roundings only are alike: those shorter than the one before by less count as long as it.
    slides.sort_by(|x, y| x.length.total_cmp(&y.length));
    let mut level = 0.0;
    let mut keyed: Vec<(f64, Slide)> = Vec::new();
    for slide in slides {
        if slide.length > level * (1.0 + 1e-9) {
            level = slide.length;
        }
        keyed.push((level, slide));
    }
    let rounded = |v: DVec3| (v * 1e6).round();
    keyed.sort_by(|(x, s), (y, t)| {
        x.total_cmp(y).then_with(|| compare(rounded(s.push / s.length), rounded(t.push / t.length)))
    });
    keyed.into_iter().take(MOST).map(|(_, slide)| slide).collect()
}

/// A few of the pairs of faces that meet, spread over where they do.
pub(super) fn sampled(space: &Space, pairs: &[FacePair]) -> Vec<FacePair> {
    let centre = |side: Side, face: u32| {
        space.mesh(side).faces().triangle_points(face as usize).iter().sum::<DVec3>() / 3.0
    };
    let place = |pair: FacePair| centre(Side::A, pair.a);
    let bounds = |(l, h): (DVec3, DVec3), x: DVec3| (l.min(x), h.max(x));
    let (low, high) =
        pairs.iter().map(|&pair| place(pair)).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), bounds);
    if pairs.is_empty() {
        return Vec::new();
    }
    // Faces in one plane make a box without volume.
    let least = DVec3::splat((high - low).max_element() * 1e-3 + f64::MIN_POSITIVE);
    Cells::new(low, high.max(low + least), 3)
        .nearest(pairs, place, |pair| centre(Side::A, pair.a) + centre(Side::B, pair.b))
}
