//! How far shapes reach, never too little: enclosing balls and support in a direction.

use super::{Core, Shape};
use kontakt_math::round::{add_up, dot_up, length_up, mul_up};
use kontakt_math::{Between, Chain, DVec3};

/// A ball that contains a shape, in the shape's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
}

/// The ball about the middle of points.
fn around(points: &[DVec3]) -> Ball {
    let (least, most) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(least, most), &p| (least.min(p), most.max(p)));
    let centre = 0.5 * least + 0.5 * most;
    // A difference errs by u relative in every component, which the last factor covers.
    let radius = points.iter().map(|&p| length_up(p - centre)).fold(0.0, f64::max);
    Ball { centre, radius: mul_up(radius, 1.0 + 2.0 * f64::EPSILON) }
}

/// Never less than the root of a² + b².
fn hypot_up(a: f64, b: f64) -> f64 {
    length_up(DVec3::new(a, b, 0.0))
}

/// The ball that a shape lies in; none for half-spaces and unions.
pub(crate) fn ball_of(shape: &Shape) -> Option<Ball> {
    let at_origin = |radius: f64| Ball { centre: DVec3::ZERO, radius };
    let core = match shape.core() {
        Core::Point => at_origin(0.0),
        Core::Segment(ends) => around(ends),
        Core::Triangle(corners) => around(corners),
        Core::Box(half) => at_origin(length_up(*half)),
        Core::Hull(hull) => around(hull.vertices()),
        Core::Ellipsoid(radii) => at_origin(radii.max_element()),
        Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } => {
            at_origin(hypot_up(*half_length, *radius))
        }
        Core::User(set) => {
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let corners = [axes, axes.map(|axis| -axis)].map(|axes| {
                let [x, y, z] = axes.map(|axis| set.support(axis));
                DVec3::new(x.x, y.y, z.z)
            });
            let box_ball = around(&corners);
            // The box of the six supports, each of which may be short by the error.
            let error = mul_up(set.support_error(), 2.0);
            Ball { radius: add_up(box_ball.radius, error), ..box_ball }
        }
        Core::HalfSpace { .. } | Core::Union(_) => return None,
    };
    let [round, margin] = shape.radii();
    Some(Ball { radius: add_up(core.radius, add_up(round, margin)), ..core })
}

/// Never less than the maximum of `direction`·x over a shape's core, in the shape's frame; infinite for half-spaces and unions.
fn core_reach(core: &Core, direction: DVec3) -> f64 {
    let of_points =
        |points: &[DVec3]| points.iter().map(|&p| dot_up(direction, p)).fold(f64::NEG_INFINITY, f64::max);
    let across = || hypot_up(direction.x, direction.y);
    match core {
        Core::Point => 0.0,
        Core::Segment(ends) => of_points(ends),
        Core::Triangle(corners) => of_points(corners),
        Core::Hull(hull) => {
            // The farthest by products that are off by 3u·Σ|dᵢxᵢ| each, so by at most twice that from the farthest there is.
            let highest = dot_up(direction, hull.extreme(direction).1);
            add_up(highest, mul_up(4.0 * f64::EPSILON * hull.reach(), direction.abs().max_element()))
        }
        Core::Box(half) => dot_up(direction.abs(), *half),
        Core::Ellipsoid(radii) => {
            let scaled = direction * *radii;
            // Each product errs by u relative.
            mul_up(length_up(scaled), 1.0 + 2.0 * f64::EPSILON) + f64::MIN_POSITIVE
        }
        Core::Cylinder { half_length, radius } => {
            add_up(mul_up(direction.z.abs(), *half_length), mul_up(across(), *radius))
        }
        Core::Cone { half_length, radius } => {
            let apex = mul_up(direction.z, *half_length);
            apex.max(add_up(mul_up(-direction.z, *half_length), mul_up(across(), *radius)))
        }
        Core::User(set) => {
            let at = set.support(direction);
            add_up(dot_up(direction, at), mul_up(set.support_error(), length_up(direction)))
        }
        Core::HalfSpace { .. } | Core::Union(_) => f64::INFINITY,
    }
}

/// **Never less** than the maximum of `direction`·x over a placed shape, in the frame outside of the chain; infinite for
/// half-spaces.
///
/// Proof: with the exact map (R, s), the maximum is that of Rᵀd over the shape plus d·s. The composed pose gives Rᵀd off by at most
/// its turn error and 40u of the rotation's evaluation, relative to |d|; that times the farthest point of the ball is
/// added, as is the error of the shift.
pub(crate) fn reach(shape: &Shape, chain: &Chain, direction: DVec3) -> f64 {
    let Some(ball) = ball_of(shape) else { return f64::INFINITY };
    let length = length_up(direction);
    let pose = chain.composed();
    let local = pose.rotation().conjugate() * direction;
    let turn = add_up(chain.turn_error(), 64.0 * f64::EPSILON);
    let farthest = add_up(length_up(ball.centre), ball.radius);
    let [round, margin] = shape.radii();
    let slack = add_up(mul_up(turn, farthest), add_up(chain.shift_error(), add_up(round, margin)));
    let at = add_up(core_reach(shape.core(), local), dot_up(direction, pose.translation()));
    let reach = add_up(at, mul_up(slack, length));
    if reach.is_nan() { f64::INFINITY } else { reach }
}

/// **Never less** than |x|₁ of any point of a core, at once; infinite for half-spaces and unions.
fn farthest(core: &Core) -> f64 {
    let most = |points: &[DVec3]| points.iter().map(|x| x.abs().element_sum()).fold(0.0, f64::max);
    let sum = match core {
        Core::Point => 0.0,
        Core::Segment(ends) => most(ends),
        Core::Triangle(corners) => most(corners),
        Core::Box(sizes) | Core::Ellipsoid(sizes) => sizes.element_sum(),
        Core::Hull(hull) => hull.reach(),
        Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } => {
            2.0 * radius + half_length
        }
        Core::User(set) => {
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let along =
                |axis: DVec3| set.support(axis).dot(axis).abs().max(set.support(-axis).dot(axis).abs());
            axes.map(along).iter().sum::<f64>() + 6.0 * set.support_error()
        }
        Core::HalfSpace { .. } | Core::Union(_) => f64::INFINITY,
    };
    sum * (1.0 + 8.0 * f64::EPSILON)
}

/// **Never less** than the maximum of `direction`·y over all points y of a shape seen from frame A of `between`, whose frame B is the
/// shape's; infinite for half-spaces and unions.
///
/// Proof: with the exact map x ↦ Rx + s, the maximum is that of d·(Rx + s). The rounded map (T, t) is off by at most `error_within` of
/// the farthest point where it is evaluated in doubles, so by at most twice that where it is not; d in the shape's frame, Tᵀd, rounds
/// by less than 8u|d|. Both count times the farthest point.
pub(crate) fn reach_between(shape: &Shape, between: &Between, direction: DVec3) -> f64 {
    let farthest = farthest(shape.core());
    let local = between.turn().transpose_mul_vec3(direction);
    let off = add_up(mul_up(2.0, between.error_within(farthest)), mul_up(8.0 * f64::EPSILON, farthest));
    let [round, margin] = shape.radii();
    let at = add_up(core_reach(shape.core(), local), dot_up(direction, between.shift()));
    let reach = add_up(at, mul_up(length_up(direction), add_up(off, add_up(round, margin))));
    if reach.is_nan() { f64::INFINITY } else { reach }
}

/// **Never more** than the distance of two placed balls, negative where they overlap; minus infinity where one is unbounded.
pub(crate) fn gap_below(a: Option<PlacedBall>, b: Option<PlacedBall>) -> f64 {
    let (Some(a), Some(b)) = (a, b) else { return f64::NEG_INFINITY };
    let apart = a.centre - b.centre;
    // The difference errs by u relative in every component, length and root by a few more.
    let squared = apart.length_squared() * (1.0 - 16.0 * f64::EPSILON);
    let gap = squared.max(0.0).sqrt() * (1.0 - 4.0 * f64::EPSILON) - add_up(a.radius, b.radius);
    if gap.is_nan() { f64::NEG_INFINITY } else { gap.next_down() }
}

/// A ball in the world that contains a placed shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedBall {
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
}

impl Ball {
    /// In the frame outside of the chain; grown by what rounding and the chain's deviation may move.
    pub(crate) fn placed(&self, chain: &Chain) -> PlacedBall {
        let pose = chain.composed();
        let deviation = add_up(chain.deviation(length_up(self.centre)), pose.apply_error(self.centre));
        PlacedBall { centre: pose.apply(self.centre), radius: add_up(self.radius, deviation) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::Pose;

    #[test]
    fn balls_hold_what_reaches_out() {
        let shapes = [
            Shape::cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap(),
            Shape::cone(1.0, 2.0).unwrap(),
            Shape::cylinder(1.0, 0.1).unwrap(),
            Shape::ellipsoid(DVec3::new(0.3, 0.2, 5.0)).unwrap(),
            Shape::capsule(1.0, 0.5).unwrap().with_margin(0.25).unwrap(),
            Shape::hull(&[DVec3::X, DVec3::Y, DVec3::Z * 3.0, DVec3::splat(-1.0)]).unwrap(),
        ];
        let pose = Pose::from_axis_angle(DVec3::ONE, 0.7, DVec3::new(1.0, -2.0, 0.5)).unwrap();
        let chain = Chain::new(pose);
        for shape in &shapes {
            let ball = ball_of(shape).unwrap().placed(&chain);
            for k in 0..100 {
                let angle = f64::from(k);
                let d = DVec3::new(angle.cos(), (1.7 * angle).sin(), (0.3 * angle).cos()).normalize();
                let up = reach(shape, &chain, d);
                assert!(up <= d.dot(ball.centre) + ball.radius + 1e-9, "{shape:?}");
                assert!(up + reach(shape, &chain, -d) >= 0.0);
            }
        }
    }
}
