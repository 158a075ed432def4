//! A world as one would build it on parry: its tree over swept boxes, its nonlinear cast for pairs.

use crate::clock::timed;
use crate::contest::{Contender, Sample};
use crate::data::bustle::Bustle;
use crate::data::scenes::PlainMesh;
use crate::parry::double;
use crate::product::world::Steps;
use kontakt_math::Pose as OwnPose;
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use parry3d_f64::shape::{Shape, TriMesh};

/// How much of the way to a contact is gone.
const SHY: f64 = 0.999;

struct Wanderers {
    bustle: Bustle,
    mesh: TriMesh,
    poses: Vec<OwnPose>,
    stopped: Vec<bool>,
    tree: Bvh,
    workspace: BvhWorkspace,
}

/// The same wanderers; a call is so many steps, its time the mean of one.
pub(crate) fn contender(pressing: bool, steps: usize) -> Result<Contender<'static, Steps>, String> {
    let bustle = Bustle::new(pressing)?;
    let mesh = double::mesh(&PlainMesh::of(bustle.mesh.faces()))?;
    let poses = bustle.places.clone();
    let boxes: Vec<Aabb> = poses.iter().map(|at| mesh.compute_aabb(&pose(at))).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let stopped = vec![false; bustle.movers.len()];
    let mut all = Wanderers { bustle, mesh, poses, stopped, tree, workspace: BvhWorkspace::default() };
    Ok(Contender::new("parry", move || Ok(all.run(steps))))
}

impl Wanderers {
    fn run(&mut self, steps: usize) -> Sample<Steps> {
        let (mut seconds, mut sum) = (0.0, Steps::default());
        for _ in 0..steps {
            let ends: Vec<OwnPose> = (0..self.bustle.movers.len())
                .map(|k| {
                    let at = self.poses[self.bustle.movers[k]];
                    self.bustle.next(k, &at, self.stopped[k])
                })
                .collect();
            self.bustle.end_step();
            let (spent, (pairs, times)) = timed(|| self.step(&ends));
            seconds += spent;
            sum.slowest = sum.slowest.max(spent);
            sum.candidates += pairs;
            for (k, end) in ends.iter().enumerate() {
                let body = self.bustle.movers[k];
                self.stopped[k] = times[k] < 1.0;
                sum.stopped += usize::from(self.stopped[k]);
                if !self.stopped[k] {
                    self.poses[body] = *end;
                } else if times[k] > 0.0 {
                    self.poses[body] = between(&self.poses[body], end, times[k] * SHY);
                }
            }
        }
        (seconds / steps as f64, sum)
    }

    /// How many pairs were asked about, and how far each mover comes.
    fn step(&mut self, ends: &[OwnPose]) -> (usize, Vec<f64>) {
        for (k, end) in ends.iter().enumerate() {
            let body = self.bustle.movers[k];
            let [a, b] = [&self.poses[body], end].map(|at| self.mesh.compute_aabb(&pose(at)));
            // The bow of a turn by a twentieth is below a thousandth.
            self.tree.insert_or_update_partially(a.merged(&b).loosened(1e-3), body as u32, 0.0);
        }
        self.tree.refit(&mut self.workspace);
        let motion = |body: usize| match self.bustle.movers.iter().position(|&mover| mover == body) {
            Some(k) => moved(&self.poses[body], &ends[k]),
            None => NonlinearRigidMotion::constant_position(pose(&self.poses[body])),
        };
        let is_mover = |body: u32| self.bustle.movers.contains(&(body as usize));
        let mut pairs = Vec::new();
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            if is_mover(a) || is_mover(b) {
                pairs.push([a as usize, b as usize]);
            }
        });
        let mut times = vec![1.0_f64; ends.len()];
        for pair in &pairs {
            let [a, b] = pair.map(motion);
            let hit = cast_shapes_nonlinear(&a, &self.mesh, &b, &self.mesh, 0.0, 1.0, true);
            if let Ok(Some(hit)) = hit {
                for body in pair {
                    if let Some(k) = self.bustle.movers.iter().position(|mover| mover == body) {
                        times[k] = times[k].min(hit.time_of_impact);
                    }
                }
            }
        }
        (pairs.len(), times)
    }
}

fn pose(at: &OwnPose) -> Pose {
    let place = Vector::from_array(at.translation().to_array());
    Pose::from_parts(place, Rotation::from_array(at.rotation().to_array()))
}

fn moved(from: &OwnPose, to: &OwnPose) -> NonlinearRigidMotion {
    let turn = to.rotation() * from.rotation().inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let [shift, turn] = [to.translation() - from.translation(), turn.to_scaled_axis()]
        .map(|v| Vector::from_array(v.to_array()));
    NonlinearRigidMotion::new(pose(from), Vector::ZERO, shift, turn)
}

fn between(from: &OwnPose, to: &OwnPose, t: f64) -> OwnPose {
    let place = from.translation().lerp(to.translation(), t);
    OwnPose::new(from.rotation().slerp(to.rotation(), t), place).unwrap_or(*from)
}
