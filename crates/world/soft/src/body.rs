//! A body that deforms: structure, model, surface, material.

use crate::model::{Bend, Spring, Volume};
use crate::{Material, SoftError};
use kontakt_math::DVec3;
use kontakt_shapes::tetrahedra::Tetrahedra;
use std::collections::BTreeMap;

/// Metres of gap a metre of edge.
const SKIN: f64 = 1e-3;

/// A solid of tetrahedra or a cloth of triangles at rest in its own shape, with masses and what holds it together.
#[derive(Clone, Debug)]
pub struct Body {
    // Structure.
    pub(crate) places: Vec<DVec3>,
    pub(crate) velocities: Vec<DVec3>,
    pub(crate) masses: Vec<f64>,
    pub(crate) pinned: Vec<bool>,
    tetrahedra: Vec<[u32; 4]>,
    // Model.
    pub(crate) springs: Vec<Spring>,
    pub(crate) bends: Vec<Bend>,
    pub(crate) volumes: Vec<Volume>,
    // Surface.
    triangles: Vec<[u32; 3]>,
    // Material.
    material: Material,
    skin: f64,
}

impl Body {
    /// A solid. Its springs share the volume of the tetrahedra around them: k = E·V/L².
    pub fn solid(solid: &Tetrahedra, material: Material) -> Result<Body, SoftError> {
        material.check()?;
        let places = solid.vertices().to_vec();
        let mut masses = vec![0.0; places.len()];
        let mut around: BTreeMap<[u32; 2], f64> = BTreeMap::new();
        let mut volumes = Vec::new();
        for (t, &corners) in solid.tetrahedra().iter().enumerate() {
            let volume = solid.volume(t);
            for (i, &v) in corners.iter().enumerate() {
                masses[v as usize] += material.density * volume / 4.0;
                for &w in &corners[i + 1..] {
                    *around.entry([v.min(w), v.max(w)]).or_default() += volume / 6.0;
                }
            }
            volumes.extend(Volume::new(corners, volume, material.volume_stiffness, material.damping));
        }
        let springs = springs(&places, &around, &material);
        let mut body = Body {
            velocities: vec![DVec3::ZERO; places.len()],
            pinned: vec![false; places.len()],
            places,
            masses,
            tetrahedra: solid.tetrahedra().to_vec(),
            skin: skin_of(&springs, &material),
            springs,
            bends: Vec::new(),
            volumes,
            triangles: solid.surface().to_vec(),
            material,
        };
        // Without stiffness nothing holds it together, which is allowed.
        body.springs.retain(|s| s.compliance.is_finite());
        body.checked()
    }

    /// A cloth or shell. Its springs share the area of the triangles beside them: k = S·A/L².
    pub fn cloth(
        places: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        material: Material,
    ) -> Result<Body, SoftError> {
        material.check()?;
        check_cloth(&places, &triangles)?;
        let mut masses = vec![0.0; places.len()];
        let mut beside: BTreeMap<[u32; 2], f64> = BTreeMap::new();
        let mut opposite: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for &corners in &triangles {
            let [p, q, r] = corners.map(|v| places[v as usize]);
            let area = 0.5 * (q - p).cross(r - p).length();
            let [a, b, c] = corners;
            for [u, v, apex] in [[a, b, c], [b, c, a], [c, a, b]] {
                masses[u as usize] += material.density * area / 3.0;
                *beside.entry([u.min(v), u.max(v)]).or_default() += area / 3.0;
                opposite.entry([u.min(v), u.max(v)]).or_default().push(apex);
            }
        }
        if let Some((&[a, b], corners)) = opposite.iter().find(|(_, corners)| corners.len() > 2) {
            return Err(SoftError::NonManifold { a, b, triangles: corners.len() });
        }
        let springs = springs(&places, &beside, &material);
        let bends = opposite.iter().filter_map(|(&[a, b], corners)| match corners[..] {
            [c, d] if c != d && material.bending_stiffness > 0.0 => {
                let corners = [a, b, c, d];
                let at = corners.map(|v| places[v as usize]);
                Bend::new(corners, at, material.bending_stiffness, material.damping)
            }
            _ => None,
        });
        let bends = bends.collect();
        let mut body = Body {
            velocities: vec![DVec3::ZERO; places.len()],
            pinned: vec![false; places.len()],
            places,
            masses,
            tetrahedra: Vec::new(),
            skin: skin_of(&springs, &material),
            springs,
            bends,
            volumes: Vec::new(),
            triangles,
            material,
        };
        body.springs.retain(|s| s.compliance.is_finite());
        body.checked()
    }

    fn checked(self) -> Result<Body, SoftError> {
        match self.masses.iter().position(|m| !(*m > 0.0 && m.recip().is_finite() && m.is_finite())) {
            Some(vertex) => Err(SoftError::NoMass { vertex }),
            None => Ok(self),
        }
    }

    /// The same body elsewhere.
    #[must_use]
    pub fn moved(mut self, by: DVec3) -> Body {
        self.places.iter_mut().for_each(|p| *p += by);
        self
    }

    /// The same body with every vertex at this velocity, in m/s.
    #[must_use]
    pub fn at_velocity(mut self, velocity: DVec3) -> Body {
        self.velocities.fill(velocity);
        self
    }

    /// The same body with some vertices held where they are.
    #[must_use]
    pub fn pinned(mut self, which: impl Fn(DVec3) -> bool) -> Body {
        for (pinned, &p) in self.pinned.iter_mut().zip(&self.places) {
            *pinned |= which(p);
        }
        self
    }

    /// The same body deformed: its rest shape stays as it was made.
    #[must_use]
    pub fn deformed(mut self, map: impl Fn(DVec3) -> DVec3) -> Body {
        self.places.iter_mut().for_each(|p| *p = map(*p));
        self
    }

    /// Where its vertices are.
    pub fn places(&self) -> &[DVec3] {
        &self.places
    }

    /// Corners of its tetrahedra; none for a cloth.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// Corners of its surface triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// What it is made of.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The gap that its contacts are kept at.
    pub fn skin(&self) -> f64 {
        self.skin
    }
}

/// Springs of all edges, also of no stiffness: of infinite compliance.
fn springs(places: &[DVec3], share: &BTreeMap<[u32; 2], f64>, material: &Material) -> Vec<Spring> {
    let spring = |(&ends, &share): (&[u32; 2], &f64)| {
        let rest = places[ends[0] as usize].distance(places[ends[1] as usize]);
        Spring {
            ends,
            rest,
            compliance: rest * rest / (material.stiffness * share),
            damping: material.damping,
        }
    };
    share.iter().map(spring).collect()
}

fn skin_of(springs: &[Spring], material: &Material) -> f64 {
    let mean = springs.iter().map(|s| s.rest).sum::<f64>() / springs.len().max(1) as f64;
    material.skin.unwrap_or(SKIN * mean)
}

fn check_cloth(places: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), SoftError> {
    if let Some(vertex) = places.iter().position(|p| !p.is_finite()) {
        return Err(SoftError::NotFinite { what: "place", vertex });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&v| v as usize >= places.len()) {
            return Err(SoftError::IndexOutOfRange { triangle, index, vertices: places.len() });
        }
        let [p, q, r] = corners.map(|v| places[v as usize]);
        let area = (q - p).cross(r - p).length();
        if area.is_nan() || area <= 0.0 {
            return Err(SoftError::Flat { triangle });
        }
    }
    Ok(())
}
