//! Restitution and friction from place and time of contact, which the thesis leaves open: asked for, and measured.

use super::super::page::{Cell, Page, Table};
use crate::failure::Failure;
use kontakt::math::DVec3;
use kontakt::shapes::tetrahedra::slab;
use kontakt::soft::{Body, Forces, Material, Options, SoftError, System};

const WORDS: &str = "\
**Response.** The thesis asks whether time and place of contact serve a response. Here contacts push from their time on, along their normal, at their shares; friction takes what is slid behind the time of contact, restitution gives back \
the speed at which the features came. A firm block (1 MPa) slides on a held slab while gravity is tilted by 30°: its acceleration gives the friction that it had. The same block falls flat: the ratio of its centre's speeds after and before gives its restitution. Restitution acts on the features that touch, not on the \
body behind them: what the block keeps as vibration and what the model damps are missing, so that a body bounces less than was asked for, and a little where nothing was.";

pub(super) fn section(page: &mut Page) -> Result<Vec<String>, Failure> {
    let wrong = |error: SoftError| Failure::Usage(format!("restitution and friction: {error}"));
    page.heading("Restitution and friction");
    page.words(WORDS);
    let mut table = Table::new("Asked for and measured", ["law", "asked for", "measured"]);
    let mut worst = 0.0_f64;
    for asked in [0.0, 0.1, 0.2, 0.4] {
        let measured = friction(asked).map_err(wrong)?;
        worst = worst.max((measured - asked).abs());
        table.row(vec!["friction, sliding".into(), Cell::Number(asked, 2), Cell::Number(measured, 3)]);
    }
    let slid = slide(0.8).map_err(wrong)?;
    table.row(vec![
        "friction 0.8, sticking: mm slid in a second".into(),
        Cell::Number(0.0, 0),
        Cell::Number(slid * 1e3, 3),
    ]);
    for asked in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let measured = restitution(asked).map_err(wrong)?;
        table.row(vec!["restitution".into(), Cell::Number(asked, 2), Cell::Number(measured, 3)]);
    }
    page.table(table);
    let bounce = restitution(1.0).map_err(wrong)?;
    Ok(vec![format!(
        "Friction measured on a slope differs from what was asked for by at most {worst:.3}; what should stick slid {:.3} mm in a second. A block that was to bounce with restitution 1 did so with {bounce:.2}.",
        slid * 1e3
    )])
}

const DT: f64 = 0.005;
const SLOPE: f64 = std::f64::consts::FRAC_PI_6;
const G: f64 = 9.81;

fn firm(friction: f64, restitution: f64) -> Material {
    let rubber = Material::rubber();
    Material { stiffness: 1e6, volume_stiffness: 1e6, friction, restitution, damping: 0.0, ..rubber }
}

/// A block above a held slab; the block's vertices come first.
fn scene(material: Material, gap: f64, velocity: DVec3) -> Result<(System, usize), SoftError> {
    let cuboid = |cells, size| slab(cells, size).map_err(|_| SoftError::Flat { triangle: 0 });
    let block = Body::solid(&cuboid([2, 2, 1], DVec3::new(0.1, 0.1, 0.04))?, material)?;
    let floor = Body::solid(&cuboid([9, 3, 1], DVec3::new(3.0, 0.4, 0.04))?, material)?.pinned(|_| true);
    let count = block.places().len();
    let block = block.moved(DVec3::new(-1.2, 0.011, 0.04 + gap)).at_velocity(velocity);
    Ok((System::new(&[block, floor])?, count))
}

fn mean(of: &[DVec3]) -> DVec3 {
    of.iter().sum::<DVec3>() / of.len().max(1) as f64
}

fn tilted() -> Forces {
    Forces { gravity: DVec3::new(G * SLOPE.sin(), 0.0, -G * SLOPE.cos()), ..Forces::none() }
}

/// The coefficient that the block's acceleration down the slope speaks of: a = g (sin − μ cos).
fn friction(asked: f64) -> Result<f64, SoftError> {
    let (mut system, count) = scene(firm(asked, 0.0), 2e-4, DVec3::ZERO)?;
    let mut speeds = Vec::new();
    for _ in 0..120 {
        system.step(DT, &tilted(), &Options::default())?;
        speeds.push(mean(&system.velocities()[..count]).x);
    }
    // After it has settled.
    let (early, late) = (speeds[19], speeds[119]);
    let acceleration = (late - early) / (100.0 * DT);
    Ok((SLOPE.sin() - acceleration / G) / SLOPE.cos())
}

/// Metres that a block slides in a second after it has settled.
fn slide(asked: f64) -> Result<f64, SoftError> {
    let (mut system, count) = scene(firm(asked, 0.0), 2e-4, DVec3::ZERO)?;
    for _ in 0..20 {
        system.step(DT, &tilted(), &Options::default())?;
    }
    let start = mean(&system.places()[..count]);
    for _ in 0..200 {
        system.step(DT, &tilted(), &Options::default())?;
    }
    Ok(mean(&system.places()[..count]).distance(start))
}

/// Speed after over speed before.
fn restitution(asked: f64) -> Result<f64, SoftError> {
    let speed = 2.0;
    let (mut system, count) = scene(firm(0.0, asked), 0.05, DVec3::Z * -speed)?;
    for _ in 0..20 {
        system.step(DT, &Forces::none(), &Options::default())?;
    }
    Ok(mean(&system.velocities()[..count]).z / speed)
}
