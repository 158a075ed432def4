//! A pile cut in half, drawn from outside, slightly from above.

use super::runs::SIZE;
use kontakt::convex::Core;
use kontakt::dynamics::rigid::World;
use kontakt::math::{DVec2, DVec3, Pose};
use kontakt::pair::Body as Geometry;
use std::fmt::Write as _;

/// Width of the drawing.
const WIDTH: f64 = 560.0;
/// Bodies so far behind the cut are drawn, in sizes: what is farther is hidden.
const DEEP: f64 = 3.0;
const SPHERE: [f64; 3] = [92.0, 142.0, 198.0];
const CUBE: [f64; 3] = [222.0, 168.0, 92.0];

/// Where one looks from.
struct View {
    right: DVec3,
    up: DVec3,
    /// Towards the eye.
    eye: DVec3,
}

impl View {
    fn new() -> View {
        let eye = DVec3::new(0.25, -1.0, 0.35).normalize();
        let right = DVec3::Z.cross(eye).normalize();
        View { right, up: eye.cross(right), eye }
    }

    fn at(&self, x: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(x), self.up.dot(x))
    }
}

/// An SVG of the half behind the middle.
pub(super) fn of(world: &World, name: &str) -> String {
    let view = View::new();
    let mut seen: Vec<(f64, DVec3, Pose, bool)> = world
        .bodies()
        .iter()
        .filter(|body| body.is_free() && body.place.y >= 0.0)
        .filter_map(|body| {
            let pose = world.pose(body.id)?;
            let is_cube = match world.forms()[body.form as usize].geometry() {
                Geometry::Convex(shape) => matches!(shape.shape().core(), Core::Box(_)),
                _ => false,
            };
            Some((view.eye.dot(body.place), body.place, pose, is_cube))
        })
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places: Vec<DVec2> = seen.iter().map(|one| view.at(one.1)).collect();
    let low = places.iter().copied().reduce(DVec2::min).unwrap_or_default() - SIZE;
    let high = places.iter().copied().reduce(DVec2::max).unwrap_or_default() + SIZE;
    let scale = WIDTH / (high.x - low.x).max(SIZE);
    let height = (high.y - low.y) * scale + 24.0;
    let on_paper = |p: DVec2| DVec2::new((p.x - low.x) * scale, (high.y - p.y) * scale + 24.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" height=\"{height:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"8\" y=\"16\" font-family=\"sans-serif\" font-size=\"13\">{} {name}, the half behind the cut</text>\n",
        world.bodies().iter().filter(|body| body.is_free()).count()
    );
    let top = seen.iter().map(|one| one.1.z).fold(0.0, f64::max);
    for (_, place, pose, is_cube) in &seen {
        if place.y > DEEP * SIZE && place.z < top - DEEP * SIZE {
            continue;
        }
        if *is_cube {
            cube(&mut out, pose, &view, on_paper);
        } else {
            let at = on_paper(view.at(*place));
            let fill = shade(SPHERE, 0.75 + 0.25 * (place.y / (-DEEP * SIZE)).clamp(-1.0, 0.0) * 0.6);
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"{fill}\" stroke=\"#234\" stroke-width=\"0.5\"/>",
                at.x,
                at.y,
                0.5 * SIZE * scale
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The faces of a cube that look at the eye.
fn cube(out: &mut String, pose: &Pose, view: &View, on_paper: impl Fn(DVec2) -> DVec2) {
    let light = DVec3::new(-0.4, -0.5, 0.8).normalize();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    for k in 0..3 {
        for side in [-1.0, 1.0] {
            let normal = pose.rotate(axes[k] * side);
            if normal.dot(view.eye) <= 0.0 {
                continue;
            }
            let (u, v) = (axes[(k + 1) % 3], axes[(k + 2) % 3]);
            let corner = |s: f64, t: f64| {
                let local = (axes[k] * side + u * s + v * t) * (0.5 * SIZE);
                on_paper(view.at(pose.apply(local)))
            };
            let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let points = corners.map(|p| format!("{:.1},{:.1}", p.x, p.y)).join(" ");
            let fill = shade(CUBE, 0.62 + 0.38 * normal.dot(light).max(0.0));
            let _ = writeln!(
                out,
                "<polygon points=\"{points}\" fill=\"{fill}\" stroke=\"#432\" stroke-width=\"0.5\"/>"
            );
        }
    }
}

fn shade(colour: [f64; 3], light: f64) -> String {
    let [r, g, b] = colour.map(|c| (c * light).clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}
