//! rapier's soft bodies: single precision, a margin around surfaces, nothing proven.

use crate::clock::timed;
use crate::contest::{Contender, Sample};
use crate::product::soft::{DT, Falls, Watch};
use kontakt::math::DVec3;
use kontakt::soft::{Body, Loose};
use rapier3d::prelude::{PhysicsWorld, Real, SoftBodyBuilder, SoftBodyHandle, Vector};

/// The same bodies with the settings it comes with, without sleep; a call is so many steps from the start, its time the mean of one.
pub(crate) fn contender(bodies: &[Body], steps: usize) -> Result<Contender<'_, Falls>, String> {
    let loose = Loose::new(bodies).map_err(|problem| problem.to_string())?;
    Ok(Contender::new("rapier", move || run(&loose, steps)))
}

fn run(loose: &Loose, steps: usize) -> Result<Sample<Falls>, String> {
    let (mut world, handles) = world(loose);
    let mut watch = Watch::new(loose.surface(), &loose.places);
    let (mut seconds, mut falls) = (0.0, Falls::default());
    for _ in 0..steps {
        let (spent, ()) = timed(|| world.step());
        seconds += spent;
        falls.slowest = falls.slowest.max(spent);
        let places: Vec<DVec3> = handles
            .iter()
            .flat_map(|&handle| world.soft_bodies[handle].particle_positions())
            .map(|p| DVec3::new(f64::from(p.x), f64::from(p.y), f64::from(p.z)))
            .collect();
        watch.follow(loose.surface(), places)?;
    }
    watch.end(loose.surface(), &mut falls)?;
    Ok((seconds / steps as f64, falls))
}

fn world(loose: &Loose) -> (PhysicsWorld, Vec<SoftBodyHandle>) {
    let single = |p: DVec3| Vector::new(p.x as Real, p.y as Real, p.z as Real);
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, 0.0, -9.81);
    world.integration_parameters.dt = DT as Real;
    let mut handles = Vec::new();
    let count = loose.bodies().iter().max().map_or(0, |most| most + 1);
    for body in 0..count {
        // Vertices of a body follow one another.
        let first = loose.bodies().partition_point(|&b| b < body);
        let end = loose.bodies().partition_point(|&b| b <= body);
        let own = first..end;
        let of_body = loose.tetrahedra().iter().filter(|t| own.contains(&(t[0] as usize)));
        let cells = of_body.map(|t| t.map(|v| v - first as u32)).collect();
        let pinned = own.clone().filter(|&v| loose.mobility()[v] == 0.0).map(|v| (v - first) as u32);
        let builder = SoftBodyBuilder::new(loose.places[own.clone()].iter().map(|&p| single(p)).collect())
            .cells(cells)
            .masses(loose.masses()[own.clone()].iter().map(|&m| m as Real).collect())
            .pinned_particles(pinned)
            .can_sleep(false);
        let handle = world.insert_soft_body(builder);
        for v in own.filter(|&v| loose.mobility()[v] > 0.0) {
            world.soft_bodies[handle].set_particle_velocity(v - first, single(loose.velocities[v]));
        }
        handles.push(handle);
    }
    (world, handles)
}
