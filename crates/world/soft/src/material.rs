//! What a body is made of.

use crate::SoftError;

/// Physical properties. Solids take pascals and kg/m³, cloth N/m and kg/m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// kg/m³ of a solid, kg/m² of a cloth; positive.
    pub density: f64,
    /// Against stretching: Pa (Young's modulus) of a solid, N/m of a cloth. Not negative. What is stiffer than a substep resolves
    /// counts as the stiffest that it does.
    pub stiffness: f64,
    /// Bulk modulus of a solid in Pa; not negative.
    pub volume_stiffness: f64,
    /// Bending stiffness of a cloth in N·m; not negative.
    pub bending_stiffness: f64,
    /// Seconds in which internal vibrations relax; not negative.
    pub damping: f64,
    /// Coulomb's coefficient; not negative. Of two bodies the geometric mean counts.
    pub friction: f64,
    /// Share of the approaching speed that comes back, 0 to 1. Of two bodies the geometric mean counts.
    pub restitution: f64,
    /// The gap that contacts are kept at, in metres; `None` takes a thousandth of the mean edge. Of two bodies the mean counts.
    pub skin: Option<f64>,
}

impl Material {
    /// A soft rubber.
    pub fn rubber() -> Material {
        Material {
            density: 1000.0,
            stiffness: 1e5,
            volume_stiffness: 1e5,
            bending_stiffness: 0.0,
            damping: 1e-3,
            friction: 0.4,
            restitution: 0.2,
            skin: None,
        }
    }

    /// A cotton cloth.
    pub fn cotton() -> Material {
        Material {
            density: 0.15,
            stiffness: 100.0,
            volume_stiffness: 0.0,
            bending_stiffness: 1e-5,
            damping: 1e-3,
            friction: 0.4,
            restitution: 0.0,
            skin: None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SoftError> {
        let not_negative = "finite and at least 0";
        let (positive, share) = ("finite and positive", "between 0 and 1");
        let checks = [
            ("a density", self.density, positive, self.density > 0.0),
            ("a stiffness", self.stiffness, not_negative, self.stiffness >= 0.0),
            ("a volume stiffness", self.volume_stiffness, not_negative, self.volume_stiffness >= 0.0),
            ("a bending stiffness", self.bending_stiffness, not_negative, self.bending_stiffness >= 0.0),
            ("a damping", self.damping, not_negative, self.damping >= 0.0),
            ("a friction", self.friction, not_negative, self.friction >= 0.0),
            ("a restitution", self.restitution, share, (0.0..=1.0).contains(&self.restitution)),
            ("a skin", self.skin.unwrap_or(1.0), positive, self.skin.is_none_or(|skin| skin > 0.0)),
        ];
        match checks.into_iter().find(|(_, value, _, holds)| !(value.is_finite() && *holds)) {
            Some((what, value, wanted, _)) => Err(SoftError::Material { what, value, wanted }),
            None => Ok(()),
        }
    }
}
