//! What acts on bodies from outside.

use kontakt_math::DVec3;

/// A user's hand: a spring from a vertex to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// By its number in the system.
    pub vertex: u32,
    /// Where to, in metres.
    pub to: DVec3,
    /// N/m.
    pub stiffness: f64,
}

/// Air that moves past surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// m/s.
    pub velocity: DVec3,
    /// Force an area and a speed across it, N·s/m³.
    pub drag: f64,
}

/// Pins that are led: those of one body move at this velocity, for as long as nothing is in their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// By its number in the system.
    pub body: u32,
    /// m/s.
    pub velocity: DVec3,
}

/// All of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    /// m/s².
    pub gravity: DVec3,
    /// `None` in vacuum.
    pub wind: Option<Wind>,
    /// Hands.
    pub pulls: Vec<Pull>,
    /// Pins that move.
    pub drives: Vec<Drive>,
}

impl Default for Forces {
    fn default() -> Forces {
        Forces { gravity: DVec3::new(0.0, 0.0, -9.81), wind: None, pulls: Vec::new(), drives: Vec::new() }
    }
}

impl Forces {
    /// No forces at all.
    pub fn none() -> Forces {
        Forces { gravity: DVec3::ZERO, ..Forces::default() }
    }

    pub(crate) fn are_finite(&self) -> bool {
        let wind = self.wind.is_none_or(|w| w.velocity.is_finite() && w.drag.is_finite() && w.drag >= 0.0);
        let pulls =
            self.pulls.iter().all(|p| p.to.is_finite() && p.stiffness.is_finite() && p.stiffness >= 0.0);
        let drives = self.drives.iter().all(|d| d.velocity.is_finite());
        self.gravity.is_finite() && wind && pulls && drives
    }

    /// Whether something outside can give energy without end: only then it may grow.
    pub(crate) fn give_energy(&self) -> bool {
        self.wind.is_some() || self.drives.iter().any(|d| d.velocity != DVec3::ZERO)
    }

    /// The velocity of each vertex's pin; empty where all rest.
    pub(crate) fn led(&self, bodies: &[u32]) -> Vec<DVec3> {
        if self.drives.is_empty() {
            return Vec::new();
        }
        let of = |body: &u32| {
            let drives = self.drives.iter().filter(|d| d.body == *body);
            drives.map(|d| d.velocity).sum()
        };
        bodies.iter().map(of).collect()
    }
}

impl Wind {
    /// What the air does to the velocities of a surface in `seconds`: across each triangle, to each corner, its speed against the
    /// air falls as 1/(1 + k): never past it, however strong the wind.
    pub(crate) fn blow(
        &self,
        triangles: &[[u32; 3]],
        places: &[DVec3],
        mobility: &[f64],
        velocities: &mut [DVec3],
        seconds: f64,
    ) {
        for corners in triangles {
            let [p, q, r] = corners.map(|v| places[v as usize]);
            let across = (q - p).cross(r - p);
            let length = across.length();
            if length.is_nan() || length <= 0.0 {
                continue;
            }
            let (n, area) = (across / length, 0.5 * length);
            for v in corners.map(|v| v as usize) {
                let k = seconds * mobility[v] * self.drag * area / 3.0;
                let speed = n.dot(self.velocity - velocities[v]);
                velocities[v] += n * (speed * k / (1.0 + k));
            }
        }
    }
}
