//! Bodies of triangles as seen from a side, shaded, the nearer over the farther.

use super::COLOURS;
use super::canvas::{Canvas, LEFT, RIGHT};
use kontakt::math::DVec3;

/// A picture.
pub(crate) struct Bodies<'a> {
    pub(crate) title: String,
    /// What it shows, below it.
    pub(crate) label: String,
    pub(crate) places: &'a [DVec3],
    pub(crate) triangles: &'a [[u32; 3]],
    /// The body of each vertex.
    pub(crate) owners: &'a [u32],
    /// From where; up is z.
    pub(crate) from: DVec3,
    /// Whether both sides of triangles are seen, as of shells.
    pub(crate) is_open: bool,
}

impl Bodies<'_> {
    pub(crate) fn svg(&self) -> String {
        let mut canvas = Canvas::new(&self.title, &[]);
        let towards = self.from.normalize_or(DVec3::Y);
        let right = DVec3::Z.cross(towards).normalize_or(DVec3::X);
        let up = towards.cross(right);
        let flat = |p: DVec3| [p.dot(right), p.dot(up)];
        let start = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let (low, high) = self.places.iter().fold(start, |(low, high), &p| {
            let [x, y] = flat(p);
            ([low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)])
        });
        let scale =
            f64::min((RIGHT - LEFT) / (high[0] - low[0]), (canvas.bottom - canvas.top) / (high[1] - low[1]));
        let middle = [f64::midpoint(low[0], high[0]), f64::midpoint(low[1], high[1])];
        let sheet = [f64::midpoint(LEFT, RIGHT), f64::midpoint(canvas.top, canvas.bottom)];
        let place = |p: DVec3| {
            let [x, y] = flat(p);
            [sheet[0] + scale * (x - middle[0]), sheet[1] - scale * (y - middle[1])]
        };
        let mut seen: Vec<(f64, usize, f64)> = Vec::new();
        for (t, corners) in self.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|v| self.places[v as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let facing = normal.dot(towards);
            if facing > 0.0 || self.is_open {
                // Lit from above, over the viewer's shoulder.
                let light = (normal * facing.signum()).dot((towards + up).normalize_or_zero()).max(0.0);
                seen.push(((a + b + c).dot(towards), t, light));
            }
        }
        seen.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if scale.is_finite() && scale > 0.0 {
            for (_, t, light) in seen {
                let corners = self.triangles[t];
                let body = self.owners[corners[0] as usize] as usize;
                canvas.triangle(corners.map(|v| place(self.places[v as usize])), &shaded(body, light));
            }
        }
        canvas.below(&self.label);
        canvas.finish()
    }
}

/// The colour of a body, darker in the shade.
fn shaded(body: usize, light: f64) -> String {
    let colour = COLOURS[body % COLOURS.len()].trim_start_matches('#');
    let channel =
        |i: usize| u8::from_str_radix(colour.get(2 * i..2 * i + 2).unwrap_or("80"), 16).unwrap_or(128);
    let dimmed = |i: usize| (f64::from(channel(i)) * (0.35 + 0.65 * light)) as u8;
    format!("#{:02x}{:02x}{:02x}", dimmed(0), dimmed(1), dimmed(2))
}
