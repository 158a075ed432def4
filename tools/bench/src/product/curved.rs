//! Bodies with curved faces out of STEP files.

use kontakt::io::{CurvedFile, ReadOptions, read_step};
use kontakt::math::{Between, DVec3, Pose};
use kontakt_curved::brep::{Face, Loop};
use kontakt_curved::{
    Body, Brep, CommonPoint, DistanceOptions, Faces, Frame, Surface, SurfaceDistance, TessellationOptions,
    common_point, size, surface_distance,
};
use std::path::Path;
use std::sync::Arc;

/// Triangles lie this part of a body's size off its faces.
pub(crate) const DEVIATION: f64 = 1e-3;
/// Distances are asked for to this part of the bodies' size.
pub(crate) const TOLERANCE: f64 = 1e-6;
/// Most pairs of patches of one question.
const MOST_PAIRS: usize = 300_000;
/// The effort for a ball pressed into a face.
const PRESSED: DistanceOptions = DistanceOptions { tolerance: 1e-7, most_pairs: 100_000, only_sign: false };

/// A body and where its file puts it.
#[derive(Clone)]
pub(crate) struct Solid {
    /// Instances share it.
    pub(crate) body: Arc<Body>,
    /// Its place.
    pub(crate) pose: Pose,
    /// The length of its diagonal.
    pub(crate) size: f64,
}

/// Reads a STEP file.
pub(crate) fn read(path: &Path) -> Result<CurvedFile, String> {
    let folder = path.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    read_step(path, &ReadOptions::default()).map_err(|problem| problem.to_string().replace(&folder, ""))
}

/// Makes bodies of what was read.
pub(crate) fn solids(file: &CurvedFile) -> Result<Vec<Solid>, String> {
    let mut made: Vec<(Arc<Brep>, Solid)> = Vec::new();
    for given in &file.bodies {
        let known = made.iter().find(|(brep, _)| Arc::ptr_eq(brep, &given.brep)).map(|(_, one)| one.clone());
        let solid = match known {
            Some(solid) => Solid { pose: given.pose, ..solid },
            None => solid(&given.brep, given.pose).map_err(|reason| format!("{}: {reason}", given.name))?,
        };
        made.push((given.brep.clone(), solid));
    }
    Ok(made.into_iter().map(|(_, solid)| solid).collect())
}

fn solid(brep: &Brep, pose: Pose) -> Result<Solid, String> {
    let size = size(brep);
    let options = TessellationOptions { deviation: DEVIATION * size, most_triangles: 1_000_000 };
    let body = Body::new(brep, &options).map_err(|problem| problem.to_string())?;
    Ok(Solid { body: Arc::new(body), pose, size })
}

/// A whole ball about its own origin.
pub(crate) fn ball(radius: f64) -> Result<Body, String> {
    let surface = Surface::Sphere { frame: Frame::IDENTITY, radius };
    let face = Face { surface, outward: true, loops: vec![Loop::Vertex(0)] };
    let brep = Brep::new(vec![DVec3::new(0.0, 0.0, -radius)], Vec::new(), vec![face])
        .map_err(|problem| problem.to_string())?;
    let options = TessellationOptions { deviation: 4e-3 * radius, most_triangles: 100_000 };
    Body::new(&brep, &options).map_err(|problem| problem.to_string())
}

impl Solid {
    /// Elsewhere.
    pub(crate) fn moved(&self, by: &Pose) -> Solid {
        Solid { pose: by.then_from(&self.pose), ..self.clone() }
    }

    /// The axis-parallel box about its triangles where it stands.
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        let places = self.body.tessellation().points.iter().map(|&x| self.pose.apply(x));
        places.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }

    /// Volume of its triangles, and their area.
    pub(crate) fn volume_and_area(&self) -> (f64, f64) {
        let made = self.body.tessellation();
        let corners = (0..made.triangles.len()).map(|k| made.corners(k));
        corners.fold((0.0, 0.0), |(volume, area), [a, b, c]| {
            (volume + a.dot(b.cross(c)) / 6.0, area + 0.5 * (b - a).cross(c - a).length())
        })
    }

    /// A point of its true surface over the middle of a triangle, and the unit normal outwards there, in its own axes.
    pub(crate) fn place(&self, triangle: usize) -> Option<(DVec3, DVec3)> {
        let made = self.body.tessellation();
        let (domain, at) = (&made.domains[made.faces[triangle] as usize], made.parameters[triangle]);
        let [u, v] = [0, 1].map(|k| (at[0][k] + at[1][k] + at[2][k]) / 3.0);
        let [a, b, c] = made.corners(triangle);
        let outward = (b - a).cross(c - a);
        let extent = |k: usize| at.iter().map(|x| (x[k] - at[0][k]).abs()).fold(0.0, f64::max);
        let (du, dv) = (1e-5 * extent(0), 1e-5 * extent(1));
        let along_u = domain.point([u + du, v]) - domain.point([u - du, v]);
        let along_v = domain.point([u, v + dv]) - domain.point([u, v - dv]);
        let normal = along_u.normalize_or_zero().cross(along_v.normalize_or_zero()).try_normalize()?;
        Some((domain.point([u, v]), normal * normal.dot(outward).signum()))
    }
}

/// How far the surfaces of two solids are apart; the points found are turned into the space of both.
pub(crate) fn distance(a: &Solid, b: &Solid) -> Option<SurfaceDistance> {
    let tolerance = TOLERANCE * a.size.max(b.size);
    let options = DistanceOptions { tolerance, most_pairs: MOST_PAIRS, only_sign: false };
    let between = Between::new(a.pose, b.pose);
    let found = surface_distance(Faces::Curved(&a.body), Faces::Curved(&b.body), &between, &options)?;
    Some(SurfaceDistance {
        point_a: a.pose.apply(found.point_a),
        point_b: a.pose.apply(found.point_b),
        ..found
    })
}

/// What is known of a ball pressed into a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressed {
    /// How far the surfaces are apart.
    pub(crate) distance: SurfaceDistance,
    /// Proof that they overlap.
    pub(crate) common: Option<CommonPoint>,
}

/// Asks about a ball, given where its centre is in the solid's axes.
pub(crate) fn pressed(solid: &Solid, ball: &Body, centre: DVec3) -> Option<Pressed> {
    let pose = Pose::from_axis_angle(DVec3::Z, 0.0, centre).ok()?;
    let between = Between::new(Pose::IDENTITY, pose);
    let distance = surface_distance(Faces::Curved(&solid.body), Faces::Curved(ball), &between, &PRESSED)?;
    let common = common_point(&solid.body, ball, &between, &distance, 100);
    Some(Pressed { distance, common })
}
