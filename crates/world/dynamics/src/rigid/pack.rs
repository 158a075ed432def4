//! Contacts as the sweeps want them: eight cells side by side, a lane each.

use super::body::Inertia;
use super::lanes::Wide;
use kontakt_math::{DMat3, DVec3};

/// One contact of each of eight cells of a colour; lanes without one push nothing.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) a: [u32; 8],
    pub(crate) b: [u32; 8],
    /// Whose motion may be written, as bits.
    pub(crate) free: [u8; 2],
    /// From a to b.
    pub(crate) normal: [Wide; 3],
    /// From the centres of mass to the point.
    pub(crate) arm_a: [Wide; 3],
    pub(crate) arm_b: [Wide; 3],
    /// Sliding speed that a unit impulse along the normal gives.
    pub(crate) coupling: [Wide; 3],
    /// Impulse for a unit of speed along the normal, and across it.
    pub(crate) mass: Wide,
    pub(crate) sliding_mass: Wide,
    pub(crate) friction: Wide,
    /// Least speed along the normal that the sweeps allow: of speeds, and of what comes after them.
    pub(crate) target: Wide,
    pub(crate) second: Wide,
    /// The impulse: along the normal, and across it.
    pub(crate) push: Wide,
    pub(crate) drag: [Wide; 3],
    /// What shifts push, along the normal.
    pub(crate) shift: Wide,
}

/// What resists the rolling of a block's bodies.
#[derive(Clone, Debug)]
pub(crate) struct Rolling {
    /// The greatest moment for a unit of push.
    pub(crate) arm: Wide,
    /// Moment for a unit of the turn of one body on the other.
    pub(crate) mass: Wide,
    /// Found so far, about the axes of the world.
    pub(crate) moment: [Wide; 3],
}

/// The contacts of up to eight cells of a colour.
#[derive(Clone, Debug)]
pub(crate) struct Pack {
    pub(crate) blocks: Vec<Block>,
    /// One for each block, or none where nothing resists rolling.
    pub(crate) rolling: Vec<Rolling>,
    /// All bodies have inertias that are numbers.
    pub(crate) even: bool,
}

/// A contact ready to be solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared {
    pub(crate) slots: [u32; 2],
    pub(crate) free: [bool; 2],
    pub(crate) even: bool,
    pub(crate) normal: DVec3,
    pub(crate) arms: [DVec3; 2],
    pub(crate) coupling: DVec3,
    pub(crate) mass: f64,
    pub(crate) sliding_mass: f64,
    pub(crate) friction: f64,
    /// Arm of the moment that resists rolling.
    pub(crate) rolling: f64,
    pub(crate) turning_mass: f64,
    pub(crate) target: f64,
    pub(crate) second: f64,
    pub(crate) push: f64,
    pub(crate) drag: DVec3,
}

/// How fast bodies come apart at a contact by a unit impulse.
///
/// K = Σ 1/m + [r]ᵀ I⁻¹ [r]. Along the normal n the impulse for a unit of speed is 1/nᵀKn. Across it one number stands for the 2 × 2
/// block: one over its greatest eigenvalue, so that no step goes beyond the minimum in any direction and friction has no preferred axis.
/// For turns it is one over the sum of the greatest rows of I⁻¹, which is no less than the greatest eigenvalue.
pub(crate) struct Yield {
    pub(crate) mass: f64,
    pub(crate) sliding_mass: f64,
    pub(crate) coupling: DVec3,
    pub(crate) turning_mass: f64,
}

impl Yield {
    pub(crate) fn of(normal: DVec3, arms: [DVec3; 2], inertias: [&Inertia; 2]) -> Yield {
        let by = |impulse: DVec3| {
            let of = |k: usize| {
                let turn = inertias[k].inverse * arms[k].cross(impulse);
                impulse * inertias[k].inverse_mass + turn.cross(arms[k])
            };
            of(0) + of(1)
        };
        let speed = by(normal);
        let along = normal.dot(speed);
        let (s, t) = normal.any_orthonormal_pair();
        let (by_s, by_t) = (by(s), by(t));
        let (ss, st, tt) = (s.dot(by_s), s.dot(by_t), t.dot(by_t));
        let greatest = 0.5 * (ss + tt) + (0.25 * (ss - tt) * (ss - tt) + st * st).sqrt();
        let inverse = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        let row = |row: DVec3| row.abs().element_sum();
        let turning = |own: &Inertia| {
            let m = &own.inverse;
            row(m.x_axis).max(row(m.y_axis)).max(row(m.z_axis))
        };
        Yield {
            mass: inverse(along),
            sliding_mass: inverse(greatest),
            coupling: speed - normal * along,
            turning_mass: inverse(turning(inertias[0]) + turning(inertias[1])),
        }
    }
}

impl Block {
    const EMPTY: Block = Block {
        a: [0; 8],
        b: [0; 8],
        free: [0; 2],
        normal: [Wide::ZERO; 3],
        arm_a: [Wide::ZERO; 3],
        arm_b: [Wide::ZERO; 3],
        coupling: [Wide::ZERO; 3],
        mass: Wide::ZERO,
        sliding_mass: Wide::ZERO,
        friction: Wide::ZERO,
        target: Wide::ZERO,
        second: Wide::ZERO,
        push: Wide::ZERO,
        drag: [Wide::ZERO; 3],
        shift: Wide::ZERO,
    };

    fn set(&mut self, lane: usize, contact: &Prepared) {
        let vector = |to: &mut [Wide; 3], v: DVec3| {
            for (wide, x) in to.iter_mut().zip(v.to_array()) {
                wide.0[lane] = x;
            }
        };
        self.a[lane] = contact.slots[0];
        self.b[lane] = contact.slots[1];
        for (bits, free) in self.free.iter_mut().zip(contact.free) {
            *bits |= u8::from(free) << lane;
        }
        vector(&mut self.normal, contact.normal);
        vector(&mut self.arm_a, contact.arms[0]);
        vector(&mut self.arm_b, contact.arms[1]);
        vector(&mut self.coupling, contact.coupling);
        vector(&mut self.drag, contact.drag);
        self.mass.0[lane] = contact.mass;
        self.sliding_mass.0[lane] = contact.sliding_mass;
        self.friction.0[lane] = contact.friction;
        self.target.0[lane] = contact.target;
        self.second.0[lane] = contact.second;
        self.push.0[lane] = contact.push;
    }

    /// Push and drag of a lane.
    pub(crate) fn impulse(&self, lane: usize) -> (f64, DVec3) {
        let [x, y, z] = &self.drag;
        (self.push.0[lane], DVec3::new(x.0[lane], y.0[lane], z.0[lane]))
    }
}

impl Pack {
    /// Cells side by side. Each is the list of its contacts, longest first, so that few lanes are empty at the end.
    pub(crate) fn new(cells: &[&[Prepared]], even: bool) -> Pack {
        let longest = cells.iter().map(|cell| cell.len()).max().unwrap_or(0);
        let mut blocks = vec![Block::EMPTY; longest];
        for (lane, cell) in cells.iter().enumerate() {
            for (block, contact) in blocks.iter_mut().zip(*cell) {
                block.set(lane, contact);
            }
            // An empty lane reads the motion of a body of its own cell: no other thread writes it.
            if let Some(first) = cell.first() {
                for block in &mut blocks[cell.len()..] {
                    block.a[lane] = first.slots[0];
                    block.b[lane] = first.slots[1];
                }
            }
        }
        // Lanes without a cell read what the first one reads.
        if let Some(first) = cells.first().and_then(|cell| cell.first()) {
            for block in &mut blocks {
                for lane in cells.len()..8 {
                    block.a[lane] = first.slots[0];
                    block.b[lane] = first.slots[1];
                }
            }
        }
        Pack { blocks, rolling: rolling(cells, longest), even }
    }
}

/// Empty where no contact resists rolling.
fn rolling(cells: &[&[Prepared]], longest: usize) -> Vec<Rolling> {
    if cells.iter().all(|cell| cell.iter().all(|contact| contact.rolling == 0.0)) {
        return Vec::new();
    }
    let mut all = vec![Rolling { arm: Wide::ZERO, mass: Wide::ZERO, moment: [Wide::ZERO; 3] }; longest];
    for (lane, cell) in cells.iter().enumerate() {
        for (rolling, contact) in all.iter_mut().zip(*cell) {
            rolling.arm.0[lane] = contact.rolling;
            rolling.mass.0[lane] = contact.turning_mass;
        }
    }
    all
}

/// The six numbers of a symmetric matrix.
pub(crate) fn packed(m: &DMat3) -> Wide {
    Wide([m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.x_axis.z, m.y_axis.z, 0.0, 0.0])
}
