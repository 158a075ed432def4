//! What is built piece by piece: card houses, arches, hoppers and drums.

use super::{ArrangeError, Arrangement, positive};
use crate::rigid::form::Form;
use kontakt_convex::{Part, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use std::f64::consts::{FRAC_PI_2, PI};

/// Measures of a house of cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cards {
    /// Storeys: the lowest has so many leaning pairs, each other one less.
    pub storeys: u32,
    /// Length of a card; it is two thirds as deep.
    pub length: f64,
    /// Its thickness.
    pub thickness: f64,
    /// Its angle from the vertical, in radians.
    pub lean: f64,
    /// Mass by volume.
    pub density: f64,
}

/// Measures of an arch of wedges, half a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arch {
    /// Wedges.
    pub wedges: u32,
    /// Inner and outer radius.
    pub radii: [f64; 2],
    /// Depth.
    pub depth: f64,
    /// Mass by volume.
    pub density: f64,
}

/// Measures of a hopper: a square funnel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hopper {
    /// Width of its upper opening.
    pub width: f64,
    /// Width of its outlet.
    pub outlet: f64,
    /// Height of the outlet above the floor.
    pub clearance: f64,
    /// Angle of its walls from the horizontal, in radians.
    pub slope: f64,
}

/// Measures of a drum about the y axis through the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drum {
    /// Of the inscribed circle.
    pub radius: f64,
    /// Along the axis.
    pub length: f64,
    /// How many flat sides.
    pub staves: u32,
    /// Angular velocity in radians.
    pub spin: f64,
}

/// Thickness of walls in widths of what they enclose.
const WALL: f64 = 0.05;

impl Arrangement {
    /// Leaning pairs of cards with cards across them; the whole on height 0. Everything just touches.
    ///
    /// A card with half thickness t and half length h leans by α; its lowest edge is on the floor and its foremost in the plane of
    /// symmetry: its middle is t·cos α + h·sin α beside that plane and t·sin α + h·cos α high. The upper edges of a pair are 2t·cos α
    /// beside it, its feet 2h·sin α: pairs 4(t·cos α + h·sin α) apart carry cards whose edges meet, and the next storey's feet stand
    /// right above the upper edges.
    pub fn card_house(&mut self, cards: &Cards) -> Result<(), ArrangeError> {
        positive("the length of a card", cards.length)?;
        positive("the thickness of a card", cards.thickness)?;
        let (t, h, depth) = (0.5 * cards.thickness, 0.5 * cards.length, cards.length / 3.0);
        let (sin, cos) = cards.lean.sin_cos();
        let spacing = 4.0 * (t * cos + h * sin);
        let leaning = self.form(Form::solid(Shape::cuboid(DVec3::new(t, depth, h))?)?);
        let lying = self.form(Form::solid(Shape::cuboid(DVec3::new(0.5 * spacing, depth, t))?)?);
        let (beside, middle) = (t * cos + h * sin, t * sin + h * cos);
        let mut floor = 0.0;
        for storey in 0..cards.storeys {
            let pairs = cards.storeys - storey;
            let first = -0.5 * spacing * f64::from(pairs - 1);
            for pair in 0..pairs {
                let x = first + spacing * f64::from(pair);
                for side in [-1.0, 1.0] {
                    let turn = DQuat::from_rotation_y(-side * cards.lean);
                    self.put(
                        leaning,
                        turn,
                        DVec3::new(x + side * beside, 0.0, floor + middle),
                        cards.density,
                    );
                }
            }
            floor += 2.0 * middle;
            for pair in 1..pairs {
                let x = first + spacing * (f64::from(pair) - 0.5);
                self.put(lying, DQuat::IDENTITY, DVec3::new(x, 0.0, floor + t), cards.density);
            }
            floor += 2.0 * t;
        }
        Ok(())
    }

    /// Half a circle of wedges that stands on height 0.
    pub fn arch(&mut self, arch: &Arch) -> Result<(), ArrangeError> {
        let [inner, outer] = arch.radii;
        positive("the inner radius", inner)?;
        positive("the thickness of the arch", outer - inner)?;
        positive("the depth of the arch", arch.depth)?;
        let half = 0.5 * PI / f64::from(arch.wedges.max(1));
        let middle = DVec3::Z * (0.5 * (inner + outer));
        let corner = |r: f64, side: f64, y: f64| {
            let (sin, cos) = (side * half).sin_cos();
            DVec3::new(r * sin, y * 0.5 * arch.depth, r * cos) - middle
        };
        let corners: Vec<DVec3> = [-1.0, 1.0]
            .into_iter()
            .flat_map(|y| {
                [(inner, -1.0), (inner, 1.0), (outer, 1.0), (outer, -1.0)].map(|(r, s)| corner(r, s, y))
            })
            .collect();
        let wedge = self.form(Form::solid(Shape::hull(&corners)?)?);
        for k in 0..arch.wedges {
            let turn = DQuat::from_rotation_y(FRAC_PI_2 - (2.0 * f64::from(k) + 1.0) * half);
            self.put(wedge, turn, turn * middle, arch.density);
        }
        Ok(())
    }

    /// Four sloping walls above the floor; gives the height of the upper opening.
    pub fn hopper(&mut self, hopper: &Hopper) -> Result<f64, ArrangeError> {
        positive("the outlet", hopper.outlet)?;
        positive("the hopper's width beyond its outlet", hopper.width - hopper.outlet)?;
        positive("the slope", hopper.slope)?;
        let (sin, cos) = hopper.slope.sin_cos();
        let run = 0.5 * (hopper.width - hopper.outlet);
        let length = run / cos;
        let thick = WALL * hopper.width;
        let half = DVec3::new(0.5 * length, 0.5 * hopper.width + thick, 0.5 * thick);
        let slab = Form::fixed(Shape::cuboid(half)?)?;
        let slab = self.form(slab);
        // The upper side goes from the outlet's edge outward and upward; its middle lies half the thickness below.
        let along = DVec3::new(cos, 0.0, sin);
        let below = DVec3::new(sin, 0.0, -cos) * (0.5 * thick);
        let middle = DVec3::new(0.5 * hopper.outlet, 0.0, hopper.clearance) + along * (0.5 * length) + below;
        for quarter in 0..4 {
            let around = DQuat::from_rotation_z(FRAC_PI_2 * f64::from(quarter));
            let turn = around * DQuat::from_rotation_y(-hopper.slope);
            if let Ok(pose) = Pose::new(turn, around * middle) {
                self.fixed(slab, pose);
            }
        }
        Ok(hopper.clearance + length * sin)
    }

    /// A hollow drum that turns, with walls at its ends; gives its id.
    pub fn drum(&mut self, drum: &Drum) -> Result<u64, ArrangeError> {
        positive("the radius of the drum", drum.radius)?;
        positive("the length of the drum", drum.length)?;
        let half_angle = PI / f64::from(drum.staves.max(3));
        let thick = WALL * drum.radius;
        let width = (drum.radius + thick) * half_angle.tan();
        let stave = Shape::cuboid(DVec3::new(width, 0.5 * drum.length + thick, 0.5 * thick))?;
        let at = |k: u32| {
            let turn = DQuat::from_rotation_y(2.0 * half_angle * f64::from(k));
            Pose::new(turn, turn * (DVec3::Z * (drum.radius + 0.5 * thick))).ok()
        };
        let parts = (0..drum.staves.max(3)).filter_map(at).map(|pose| Part { shape: stave.clone(), pose });
        let form = Form::fixed(Shape::union(parts.collect())?)?;
        let form = self.form(form);
        let id = self.fixed(form, Pose::IDENTITY);
        if let Some(body) = self.bodies.last_mut() {
            body.spin = DVec3::Y * drum.spin;
        }
        self.wall(DVec3::Y * (-0.5 * drum.length), DVec3::Y)?;
        self.wall(DVec3::Y * (0.5 * drum.length), DVec3::NEG_Y)?;
        Ok(id)
    }

    fn put(&mut self, form: u32, turn: DQuat, place: DVec3, density: f64) {
        if let Ok(pose) = Pose::new(turn, place) {
            self.moving(form, pose, density);
        }
    }
}
