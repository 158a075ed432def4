//! How far a tessellation may lie from the surface it was made of: an estimate, for nobody can know.
//!
//! Facets that meet at a small angle are taken for chords of one smooth surface. In a section across such an edge, chords of length w
//! that turn by θ from one to the next are inscribed in a circle of radius r with w = 2r·sin(θ/2), and the arc rises above the chord by
//!
//!   s = r·(1 − cos(θ/2)) = w/2 · tan(θ/4).
//!
//! On a surface that bends in two directions the rises add up. A function with second derivatives H lies above its linear interpolation
//! over a triangle by 4·Σ λᵢλⱼsᵢⱼ, where λ are the barycentric weights and sᵢⱼ = eᵀHe/8 is the rise over the middle of the side e; H is
//! the smallest that turns the normal by θ/2 from the triangle's middle to each of its smooth edges.
//!
//! What is not counted: edges sharper than 35°; flat faces far larger than the facet beside them (a wall that a fillet leaves), for
//! these are flat and the whole turn is the fillet's; and edges beyond which neither facet bends again the same way (two panels of a roof,
//! the rim of a lead-in cone or a chamfer), for a bent surface goes on bending.

use crate::FaceSet;
use crate::disjoint_sets::DisjointSets;
use crate::edge_table::EdgeTable;
use crate::half_edge::HalfEdges;
use kontakt_math::{DMat3, DVec3};
use std::borrow::Cow;
use std::convert::Infallible;

/// Facets at a greater angle meet at an edge that is meant, in radians.
const SHARP: f64 = 0.61;

/// Facets at a smaller angle are one flat face, in radians.
const FLAT: f64 = 1e-4;

/// A face so many times as large as its neighbour is no facet of the same surface.
const FAR_LARGER: f64 = 3.0;

/// A surface that turns at an edge turns by this share of that beyond one of the two facets again.
const GOES_ON: f64 = 0.25;

/// Cosine up to which an edge is across from another, and not beside it.
const ACROSS: f64 = 0.3;

/// A flat face with more smooth edges is not searched for those across from one: it has some.
const MANY: usize = 64;

/// The rise over a triangle, with both directions of bending, is at most so many times that across one edge: 8/3 for equal sides.
const MOST_OF_BOTH: f64 = 3.0;

/// Against nearly parallel edges that say different things.
const DAMPING: f64 = 1e-3;

/// The largest distance by which the smooth surface that the faces seem to approximate rises above (or falls below) them. **An estimate,
/// not certified**: exact for prisms in cylinders and for fillets between walls, right to a few hundredths for cones, balls and tori evenly
/// cut; 0 for bodies whose edges are all sharp. Faces are joined as [`HalfEdges`] joins them; O(n log n) at worst.
pub fn estimate_chord_error(faces: &FaceSet) -> f64 {
    estimate_chord_errors(faces).into_iter().fold(0.0, f64::max)
}

/// The same, given up between its steps when `go_on` says so. Each of them takes time in proportion to the faces, or less.
pub fn estimate_chord_error_in_steps<E>(
    faces: &FaceSet,
    go_on: impl Fn() -> Result<(), E>,
) -> Result<f64, E> {
    Ok(rises(faces, &go_on)?.into_iter().fold(0.0, f64::max))
}

/// The same for each triangle: 0 for those of flat faces.
pub fn estimate_chord_errors(faces: &FaceSet) -> Vec<f64> {
    let never = || Ok::<(), Infallible>(());
    match rises(faces, &never) {
        Ok(rises) => rises,
        Err(never) => match never {},
    }
}

/// Triangles looked at between two questions whether to go on.
const STEP: usize = 1 << 16;

fn rises<E>(faces: &FaceSet, go_on: &impl Fn() -> Result<(), E>) -> Result<Vec<f64>, E> {
    let Some(triangles) = all_triangles(faces) else { return Ok(vec![0.0; faces.triangles().len()]) };
    let facets = Facets::of(&triangles, go_on)?;
    let rise = |t: usize| Some(facets.rise(t)).filter(|rise| rise.is_finite()).unwrap_or(0.0);
    let mut rises = Vec::with_capacity(triangles.face_count());
    for begin in (0..triangles.face_count()).step_by(STEP) {
        go_on()?;
        rises.extend((begin..triangles.face_count().min(begin + STEP)).map(rise));
    }
    Ok(rises)
}

/// The same with triangles for faces; their diagonals are flat edges.
fn all_triangles(faces: &FaceSet) -> Option<Cow<'_, FaceSet>> {
    if faces.is_plain_triangles() {
        return Some(Cow::Borrowed(faces));
    }
    FaceSet::from_triangles(faces.vertices().to_vec(), faces.triangles().to_vec()).ok().map(Cow::Owned)
}

struct Facets<'a> {
    faces: &'a FaceSet,
    /// Per half-edge: by what angle the surface turns there, were both neighbours chords alike; 0 where it is flat, sharp or open.
    /// Positive where it bulges out.
    turns: Vec<f64>,
    /// Per triangle: whether its flat face is smoothly joined to two others at least.
    goes_on: Vec<bool>,
}

/// A half-edge of one triangle, with the other triangle along it.
struct Smooth {
    half_edge: usize,
    here: usize,
    there: usize,
    /// Positive where the surface bulges out.
    angle: f64,
    /// The way out of the triangle over the half-edge, a unit vector in its plane.
    out: DVec3,
}

/// Where flat faces are smoothly joined to others.
struct Bends<'e> {
    /// By flat face: the edge, and the flat face beyond it.
    list: Vec<(u32, &'e Smooth, u32)>,
}

impl<'e> Bends<'e> {
    fn of(mut list: Vec<(u32, &'e Smooth, u32)>) -> Bends<'e> {
        list.sort_by_key(|bend| bend.0);
        Bends { list }
    }

    fn at(&self, flat: u32) -> &[(u32, &'e Smooth, u32)] {
        let begin = self.list.partition_point(|bend| bend.0 < flat);
        &self.list[begin..self.list.partition_point(|bend| bend.0 <= flat)]
    }

    /// Whether the surface that turns at an edge does so again across from it, on this side or the other.
    fn go_on(&self, edge: &Smooth, here: u32, there: u32) -> bool {
        self.turns_beyond(here, there, -edge.out, edge.angle)
            || self.turns_beyond(there, here, edge.out, edge.angle)
    }

    /// Whether the surface turns again when it is left away from an edge, or beyond the next facet: that of two triangles of a
    /// quadrilateral may have the edge across.
    fn turns_beyond(&self, flat: u32, from: u32, away: DVec3, angle: f64) -> bool {
        // The same way: a taper between two cylinders bends one way and back.
        let again = |bend: &Smooth| away.dot(bend.out) * bend.angle * angle.signum() >= GOES_ON * angle.abs();
        let bends = self.at(flat);
        bends.len() > MANY
            || bends.iter().filter(|bend| bend.2 != from).any(|&(_, bend, next)| {
                let mut onward = self.at(next).iter().take(MANY).filter(|bend| bend.2 != flat);
                again(bend) || (away.dot(bend.out) > ACROSS && onward.any(|bend| again(bend.1)))
            })
    }
}

impl<'a> Facets<'a> {
    fn of<E>(faces: &'a FaceSet, go_on: &impl Fn() -> Result<(), E>) -> Result<Self, E> {
        let crosses: Vec<DVec3> = (0..faces.face_count()).map(|t| cross(faces.triangle_points(t))).collect();
        let edges = smooth_edges(faces, &crosses, go_on)?;
        go_on()?;
        let flat_of = flat_faces(&edges, faces.face_count());
        go_on()?;
        let mut areas = vec![0.0; faces.face_count()];
        for (cross, &flat) in crosses.iter().zip(&flat_of) {
            areas[flat as usize] += cross.length() / 2.0;
        }
        let mut joined = vec![Joined::default(); faces.face_count()];
        let mut turns = vec![0.0; faces.corners().len()];
        let ratio = |here: u32, there: u32| areas[there as usize] / areas[here as usize];
        let ends = |edge: &Smooth| (flat_of[edge.here], flat_of[edge.there]);
        let bends = edges.iter().filter_map(|edge| {
            let (here, there) = ends(edge);
            (here != there && ratio(here, there) * FAR_LARGER >= 1.0).then_some((here, edge, there))
        });
        let bends = Bends::of(bends.collect());
        go_on()?;
        for &(here, edge, there) in
            bends.list.iter().filter(|(here, edge, there)| bends.go_on(edge, *here, *there))
        {
            let ratio = ratio(here, there);
            // What a large flat face does not turn, the facet beside it does.
            turns[edge.half_edge] = if ratio > FAR_LARGER { 2.0 * edge.angle } else { edge.angle };
            joined[here as usize].add(there);
        }
        let goes_on = flat_of.iter().map(|&flat| joined[flat as usize].to_several).collect();
        Ok(Facets { faces, turns, goes_on })
    }

    /// How far the surface rises above (or falls below) a triangle at most.
    fn rise(&self, triangle: usize) -> f64 {
        let turns: [f64; 3] = std::array::from_fn(|k| self.turns[3 * triangle + k]);
        if !self.goes_on[triangle] || turns == [0.0; 3] {
            return 0.0;
        }
        let [a, b, c] = self.faces.triangle_points(triangle);
        let sides = [b - a, c - b, a - c];
        let twice_area = cross([a, b, c]).length();
        let heights = sides.map(|side| twice_area / side.length());
        let across_one = (0..3).map(|k| heights[k] / 2.0 * (turns[k].abs() / 4.0).tan()).fold(0.0, f64::max);
        let across_both = largest_rise(rises_over_sides(sides, heights, turns));
        across_both.clamp(across_one, MOST_OF_BOTH * across_one)
    }
}

/// All half-edges where two triangles with area meet at no sharp angle, flat ones included.
fn smooth_edges<E>(
    faces: &FaceSet,
    crosses: &[DVec3],
    go_on: &impl Fn() -> Result<(), E>,
) -> Result<Vec<Smooth>, E> {
    go_on()?;
    let table = EdgeTable::new(faces);
    go_on()?;
    let view = HalfEdges::from_table(faces, &table);
    let smooth = |half_edge: usize| {
        let (here, there) = (half_edge / 3, view.twin(half_edge)? / 3);
        let (a, b) = (crosses[here], crosses[there]);
        if a == DVec3::ZERO || b == DVec3::ZERO {
            return None;
        }
        let [from, to] =
            [view.origin(half_edge), view.target(half_edge)].map(|v| faces.vertices()[v as usize]);
        let sign = if a.cross(b).dot(to - from) < 0.0 { -1.0 } else { 1.0 };
        let angle = a.cross(b).length().atan2(a.dot(b));
        let out = (to - from).cross(a).normalize_or_zero();
        (angle <= SHARP).then_some(Smooth { half_edge, here, there, angle: sign * angle, out })
    };
    let mut edges = Vec::new();
    for begin in (0..view.len()).step_by(STEP) {
        go_on()?;
        edges.extend((begin..view.len().min(begin + STEP)).filter_map(smooth));
    }
    Ok(edges)
}

/// For each triangle, one that stands for the flat face it is part of.
fn flat_faces(edges: &[Smooth], triangles: usize) -> Vec<u32> {
    let mut flats = DisjointSets::new(triangles);
    for edge in edges.iter().filter(|edge| edge.angle.abs() <= FLAT) {
        flats.join(edge.here as u32, edge.there as u32);
    }
    (0..triangles as u32).map(|t| flats.root(t)).collect()
}

/// The flat faces that one is smoothly joined to.
#[derive(Clone, Copy, Default)]
struct Joined {
    first: Option<u32>,
    to_several: bool,
}

impl Joined {
    fn add(&mut self, other: u32) {
        let first = *self.first.get_or_insert(other);
        self.to_several |= first != other;
    }
}

/// eᵀHe/8 for each side e. H = Σ aₖ·uₖuₖᵀ with the directions u across the smooth edges; it is the smallest H with dₖ·uₖᵀHuₖ = θₖ/2, d
/// being how far the middle is from the edge. A triangle that bends over all its sides lies on a ball, more or less, and its middle is
/// the centre of its circumcircle; other facets are strips, and their middle is half their height away.
fn rises_over_sides(sides: [DVec3; 3], heights: [f64; 3], turns: [f64; 3]) -> [f64; 3] {
    let [lengths, squares] = [sides.map(DVec3::length), sides.map(DVec3::length_squared)];
    // cot(angle opposite side k) / 2 · length, by the law of cosines.
    let to_circumcentre = |k: usize| {
        let others = squares[(k + 1) % 3] + squares[(k + 2) % 3] - squares[k];
        others / (4.0 * heights[k])
    };
    let on_a_ball = turns.iter().all(|&turn| turn != 0.0);
    let middles: [f64; 3] =
        std::array::from_fn(|k| if on_a_ball { to_circumcentre(k) } else { heights[k] / 2.0 });
    let size = middles.into_iter().fold(0.0, |size: f64, d| size.max(d.abs()));
    // (component of side i across edge k)², from the sine of the angle between the two sides.
    let across = |k: usize, i: usize| if k == i { 0.0 } else { heights[k] * heights[k] };
    let cosine_squared = |k: usize, i: usize| {
        let cosine = sides[k].dot(sides[i]) / (lengths[k] * lengths[i]);
        cosine * cosine
    };
    let equation = |k: usize, i: usize| {
        let met = if turns[k] == 0.0 || turns[i] == 0.0 {
            0.0
        } else {
            middles[k] / size * (middles[i] / size) * cosine_squared(k, i)
        };
        if k != i {
            met
        } else if turns[k] == 0.0 {
            1.0
        } else {
            met + DAMPING
        }
    };
    let columns: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|k| equation(k, i)));
    let right = DVec3::from_array(turns.map(|turn| turn / 2.0 / size));
    let weights = (DMat3::from_cols_array_2d(&columns).inverse() * right).to_array();
    std::array::from_fn(|i| {
        (0..3).map(|k| weights[k] * (middles[k] / size) * across(k, i)).sum::<f64>() / 8.0
    })
}

/// The largest absolute value of 4·(λ₀λ₁s₀ + λ₁λ₂s₁ + λ₂λ₀s₂) over the triangle: over the middle of a side, or where all derivatives along
/// the triangle vanish.
fn largest_rise([s, t, u]: [f64; 3]) -> f64 {
    let on_sides = s.abs().max(t.abs()).max(u.abs());
    // λ ∝ the solution of ∂/∂λᵢ = const: cyclic in the sides, weight 0 lying opposite side 1.
    let weights = [t * (s + u - t), u * (s + t - u), s * (t + u - s)];
    let sum: f64 = weights.iter().sum();
    let [a, b, c] = weights.map(|weight| weight / sum);
    if a > 0.0 && b > 0.0 && c > 0.0 {
        on_sides.max((4.0 * (a * b * s + b * c * t + c * a * u)).abs())
    } else {
        on_sides
    }
}

fn cross([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}
