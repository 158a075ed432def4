//! More points for triangles that lie too far from their surface.

use super::Limits;
use super::border::Corner;
use super::face::{Sheet, Trouble};
use super::flood;
use spade::handles::FixedVertexHandle;
use spade::{Point2, Triangulation};
use std::collections::HashSet;

/// Splits the sides of triangles until all are near enough; the triangles inside of the face.
pub(super) fn refine(sheet: &mut Sheet, limits: Limits) -> Result<Vec<[usize; 3]>, Trouble> {
    let Limits { deviation, most, deadline } = limits;
    let mut pacer = deadline.pacer();
    // Triangles stay from one round to the next, all but those about the new points: what is known of them is kept.
    let mut near_enough: HashSet<[FixedVertexHandle; 3]> = HashSet::new();
    loop {
        let triangles = flood::inside(&sheet.plane, &sheet.sides);
        if triangles.len() > most {
            return Err(Trouble::TooMany);
        }
        let mut middles: Vec<Place> = Vec::new();
        for &triangle in &triangles {
            if near_enough.contains(&triangle) {
                continue;
            }
            pacer.tick()?;
            match middle_of_worst(sheet, triangle, deviation) {
                Some(middle) => middles.push(middle),
                None => {
                    near_enough.insert(triangle);
                }
            }
        }
        if middles.is_empty() {
            let corner = |handle: FixedVertexHandle| sheet.plane.vertex(handle).data().corner;
            return Ok(triangles.into_iter().map(|triangle| triangle.map(corner)).collect());
        }
        let before = sheet.corners.len();
        for place in middles {
            pacer.tick()?;
            match place {
                Place::Inside(place) => {
                    let at = sheet.chart.parameters([place.x, place.y]);
                    let position = sheet.domain.point(at);
                    sheet.insert(Corner { id: None, position, at })?;
                }
                Place::Pole(a, b) => sheet.cut_pole(a, b)?,
            }
        }
        // Points that were all there already: numbers end here.
        if sheet.corners.len() == before {
            return Err(Trouble::TooMany);
        }
    }
}

/// Where a triangle is to be split.
enum Place {
    Inside(Point2<f64>),
    /// Half way between two corners along a pole, which no other face has a side along.
    Pole(FixedVertexHandle, FixedVertexHandle),
}

/// Where a triangle that is too far off is to be split: in the middle of that of its sides over which the surface turns most, or, if
/// that is a border, in its own.
fn middle_of_worst(sheet: &Sheet, triangle: [FixedVertexHandle; 3], deviation: f64) -> Option<Place> {
    let places = triangle.map(|handle| *sheet.plane.vertex(handle).data());
    let corners = places.map(|planar| planar.corner);
    let at = sheet.parameters(corners);
    let positions = corners.map(|corner| sheet.corners[corner].position);
    let beside = sheet.beside_pole(corners, &at).map_or(0.0, |(corners, at)| {
        sheet.domain.sagitta(&at, &corners.map(|corner| sheet.corners[corner].position))
    });
    if sheet.domain.sagitta(&at, &positions).max(beside) <= deviation {
        return None;
    }
    // The wider of two sides beside a pole spans all angles that the pole's own does: that one is halved.
    let pole = (0..3).find(|&k| sheet.is_pole_side(triangle[k], triangle[(k + 1) % 3]));
    if let Some(k) = pole
        && sheet.is_wide(corners, k)
    {
        return Some(Place::Pole(triangle[k], triangle[(k + 1) % 3]));
    }
    let turn = |k: usize| {
        let next = (k + 1) % 3;
        sheet.domain.chord_sagitta(at[k], at[next], [positions[k], positions[next]])
    };
    let worst = (0..3).max_by(|&a, &b| turn(a).total_cmp(&turn(b)))?;
    let next = (worst + 1) % 3;
    let [a, b, c] = places.map(|planar| planar.place);
    if sheet.sides.is_border(triangle[worst], triangle[next]) {
        return Some(Place::Inside(Point2::new((a.x + b.x + c.x) / 3.0, (a.y + b.y + c.y) / 3.0)));
    }
    let (p, q) = (places[worst].place, places[next].place);
    Some(Place::Inside(Point2::new(0.5 * (p.x + q.x), 0.5 * (p.y + q.y))))
}
