//! kontakt's contacts in rapier's solver: before each step they take the place of those that rapier has found, through its hook for
//! contacts. Cubes fall into a box, once as rapier does it alone and once so, and their depths are told.
//! `cargo run --release -p kontakt-bench --example feed_rapier`

use kontakt::convex::Shape;
use kontakt::dynamics::rigid::{Body, Form, Settings, State, Touch, World};
use kontakt::math::{DQuat, DVec3, Pose};
use rapier3d_f64::dynamics::{RigidBodyBuilder, RigidBodyHandle};
use rapier3d_f64::geometry::ColliderBuilder;
use rapier3d_f64::math::Vector;
use rapier3d_f64::pipeline::{ActiveHooks, ContactModificationContext, PhysicsHooks, PhysicsWorld};
use std::collections::HashMap;
use std::error::Error;

const HALF: f64 = 0.5;
/// Half the width of the box, and the thickness of its walls.
const ROOM: f64 = 2.5;
const THICK: f64 = 2.0;
const CUBES: u32 = 120;
/// rapier looks ahead so far, in lengths; so must what takes its place.
const AHEAD: f64 = 0.02;

/// Walls as middles and half widths: rapier's body and kontakt's body k are the same.
fn walls() -> Vec<[DVec3; 2]> {
    let wall = |normal: DVec3| {
        let half = DVec3::splat(ROOM + 2.0 * THICK) * (DVec3::ONE - normal.abs()) + normal.abs() * THICK;
        [DVec3::new(0.0, 0.0, ROOM) - normal * (ROOM + THICK), half]
    };
    [DVec3::Z, DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].map(wall).to_vec()
}

/// kontakt's bodies, which only say where they touch.
struct Contacts {
    forms: Vec<Form>,
    bodies: Vec<Body>,
    /// By pair of bodies, the smaller first.
    found: HashMap<[usize; 2], Vec<Touch>>,
}

impl Contacts {
    /// Contacts of the bodies where rapier has them now.
    fn find(&mut self, rapier: &PhysicsWorld, handles: &[RigidBodyHandle]) -> Result<World, Box<dyn Error>> {
        for (body, handle) in self.bodies.iter_mut().zip(handles) {
            let at = rapier.bodies[*handle].position();
            body.place = DVec3::from_array(at.translation.to_array());
            body.turn = DQuat::from_array(at.rotation.to_array()).normalize();
        }
        let state = State { bodies: self.bodies.clone(), ..State::default() };
        let mut world = World::restore(Settings::default(), self.forms.clone(), state)?;
        self.found.clear();
        for touch in world.touches(AHEAD / (2.0 * HALF)) {
            self.found.entry(touch.slots()).or_default().push(touch);
        }
        Ok(world)
    }
}

impl PhysicsHooks for Contacts {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let body = |collider| context.colliders.get(collider).map(|collider| collider.user_data as usize);
        let (Some(a), Some(b)) = (body(context.collider1), body(context.collider2)) else { return };
        let Some(theirs) = context.rigid_mut() else { return };
        let ours = self.found.get(&[a.min(b), a.max(b)]).map_or(&[][..], Vec::as_slice);
        let Some(example) = theirs.solver_contacts.first().copied() else { return };
        // Warm starts are kept by the number of rapier's own points: there can be no more of ours.
        let numbers: Vec<_> = theirs.solver_contacts.iter().map(|contact| contact.contact_id).collect();
        theirs.solver_contacts.clear();
        let side = if a < b { 1.0 } else { -1.0 };
        for (touch, contact_id) in ours.iter().zip(numbers) {
            let normal = touch.normal * side;
            let [from, to] = [-0.5, 0.5].map(|share| vector(touch.point + normal * (share * touch.gap)));
            *theirs.normal = vector(normal);
            let mut contact = example;
            (contact.anchor1, contact.anchor2) = (from, to);
            (contact.dist, contact.contact_id) = (touch.gap, contact_id);
            theirs.solver_contacts.push(contact);
        }
    }
}

fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn run(fed: bool) -> Result<[f64; 3], Box<dyn Error>> {
    let mut rapier = PhysicsWorld::new();
    rapier.gravity = Vector::new(0.0, 0.0, -10.0);
    rapier.integration_parameters.dt = 5e-3;
    let mut contacts = Contacts { forms: Vec::new(), bodies: Vec::new(), found: HashMap::new() };
    let mut handles = Vec::new();
    let cube = Form::solid(Shape::cuboid(DVec3::splat(HALF))?)?;
    for [middle, half] in walls() {
        let id = contacts.bodies.len();
        contacts.forms.push(Form::fixed(Shape::cuboid(half)?)?);
        contacts.bodies.push(Body::fixed(id as u64, id as u32, Pose::new(DQuat::IDENTITY, middle)?));
        let wall = ColliderBuilder::cuboid(half.x, half.y, half.z).friction(0.3).user_data(id as u128);
        handles.push(rapier.insert(RigidBodyBuilder::fixed().translation(vector(middle)), wall).0);
    }
    contacts.forms.push(cube);
    let form = contacts.forms.len() as u32 - 1;
    for k in 0..CUBES {
        let id = contacts.bodies.len();
        let at = DVec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k / 4));
        let at = (at - DVec3::new(0.5, 0.5, 0.0)) * 1.9 + DVec3::Z;
        let turn = DQuat::from_rotation_x(f64::from(k)) * DQuat::from_rotation_y(2.0 * f64::from(k));
        contacts.bodies.push(Body::moving(id as u64, form, Pose::new(turn, at)?, 1.0));
        let body = RigidBodyBuilder::dynamic().pose(rapier3d_f64::math::Pose::from_parts(
            vector(at),
            rapier3d_f64::math::Rotation::from_array(turn.to_array()),
        ));
        let collider = ColliderBuilder::cuboid(HALF, HALF, HALF).friction(0.3).user_data(id as u128);
        let collider = collider.active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        handles.push(rapier.insert(body.can_sleep(false), collider).0);
    }
    for _ in 0..1600 {
        if fed {
            contacts.find(&rapier, &handles)?;
            rapier.step_with_events(&contacts, &());
        } else {
            rapier.step();
        }
    }
    let [count] = contacts.find(&rapier, &handles)?.count_contacts([0.0]);
    let top = contacts.bodies.iter().skip(5).map(|body| body.place.z).fold(0.0, f64::max);
    Ok([count.mean_depth, count.greatest_depth, top])
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, fed) in [("rapier's contacts", false), ("kontakt's contacts", true)] {
        let [mean, greatest, top] = run(fed)?;
        println!("{name:18}  depth mean {mean:.2e}, greatest {greatest:.2e}, highest cube at {top:.2}");
    }
    Ok(())
}
