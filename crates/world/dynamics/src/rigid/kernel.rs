//! A sweep over the contacts of a pack: each gets the impulse that its own law asks for, given all others.

use super::lanes::{Lanes, Motions, Portable, Wide};
use super::pack::{Block, Pack, Rolling};

/// What a sweep is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// Speeds before the motion: what touches does not approach, gaps may close.
    Speeds,
    /// Shifts beside the motion: overlaps shrink, gaps of what pushes close. They are no speeds, and nothing remembers them.
    Shifts,
    /// Speeds after the motion: what came fast enough bounces.
    Bounces,
}

/// Sweeps once over a pack with the widest unit there is; gives the greatest change of a speed.
pub(crate) fn sweep_pack(pack: &mut Pack, motions: &Motions, inertias: &[Wide], how: Sweep) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(change) = super::lanes_x86::sweep_wide(pack, motions, inertias, how) {
        return change;
    }
    sweep::<Portable>(pack, motions, inertias, how)
}

/// Applies the impulses that a pack begins with.
pub(crate) fn start_pack(pack: &Pack, motions: &Motions, inertias: &[Wide]) {
    #[cfg(target_arch = "x86_64")]
    if super::lanes_x86::start_wide(pack, motions, inertias) {
        return;
    }
    start::<Portable>(pack, motions, inertias);
}

#[derive(Clone, Copy)]
struct Vector<L>([L; 3]);

impl<L: Lanes> Vector<L> {
    #[inline(always)]
    fn read(from: &[Wide; 3]) -> Self {
        Vector([L::read(&from[0]), L::read(&from[1]), L::read(&from[2])])
    }

    #[inline(always)]
    fn dot(self, other: Self) -> L {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    #[inline(always)]
    fn times(self, s: L) -> Self {
        let [x, y, z] = self.0;
        Vector([x * s, y * s, z * s])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([a + x, b + y, c + z])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([a - x, b - y, c - z])
    }
}

/// Motions of eight bodies.
#[derive(Clone, Copy)]
struct Eight<L> {
    velocity: Vector<L>,
    spin: Vector<L>,
    inverse_mass: L,
    even: L,
}

impl<L: Lanes> Eight<L> {
    #[inline(always)]
    fn read(motions: &Motions, slots: &[u32; 8]) -> Self {
        let [vx, vy, vz, inverse_mass, wx, wy, wz, even] = L::gather(motions, slots);
        Eight { velocity: Vector([vx, vy, vz]), spin: Vector([wx, wy, wz]), inverse_mass, even }
    }

    #[inline(always)]
    fn write(self, motions: &Motions, slots: &[u32; 8], free: u8) {
        let ([vx, vy, vz], [wx, wy, wz]) = (self.velocity.0, self.spin.0);
        L::scatter([vx, vy, vz, self.inverse_mass, wx, wy, wz, self.even], motions, slots, free);
    }

    /// Speed of a point.
    #[inline(always)]
    fn at(&self, arm: Vector<L>) -> Vector<L> {
        self.velocity.plus(self.spin.cross(arm))
    }

    /// What a moment does to the spin.
    #[inline(always)]
    fn turned_by(&self, moment: Vector<L>, inertias: &[Wide], slots: &[u32; 8], even: bool) -> Vector<L> {
        if even {
            return moment.times(self.even);
        }
        let [xx, yy, zz, xy, xz, yz, _, _] = L::gather_rows(inertias, slots);
        let row = |a, b, c| Vector([a, b, c]).dot(moment);
        Vector([row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)])
    }
}

/// Eight pairs of bodies after an impulse at their contacts.
#[inline(always)]
fn pushed<L: Lanes>(
    block: &Block,
    [mut a, mut b]: [Eight<L>; 2],
    impulse: Vector<L>,
    inertias: &[Wide],
    even: bool,
) -> [Eight<L>; 2] {
    let (arm_a, arm_b) = (Vector::read(&block.arm_a), Vector::read(&block.arm_b));
    a.velocity = a.velocity.minus(impulse.times(a.inverse_mass));
    b.velocity = b.velocity.plus(impulse.times(b.inverse_mass));
    a.spin = a.spin.minus(a.turned_by(arm_a.cross(impulse), inertias, &block.a, even));
    b.spin = b.spin.plus(b.turned_by(arm_b.cross(impulse), inertias, &block.b, even));
    [a, b]
}

/// What resists rolling and drilling: a moment against the turn of one body on the other, as great as stops it but no greater than the
/// push on its arm.
#[inline(always)]
fn rolled<L: Lanes>(
    block: &Block,
    rolling: &mut Rolling,
    [mut a, mut b]: [Eight<L>; 2],
    inertias: &[Wide],
    even: bool,
) -> [Eight<L>; 2] {
    let moment = Vector::read(&rolling.moment);
    let wanted = moment.minus(b.spin.minus(a.spin).times(L::read(&rolling.mass)));
    let new_moment = within(wanted, L::read(&rolling.arm) * L::read(&block.push));
    let change = new_moment.minus(moment);
    for (to, x) in rolling.moment.iter_mut().zip(new_moment.0) {
        x.write(to);
    }
    a.spin = a.spin.minus(a.turned_by(change, inertias, &block.a, even));
    b.spin = b.spin.plus(b.turned_by(change, inertias, &block.b, even));
    [a, b]
}

/// Shortened to a length where it is longer.
#[inline(always)]
fn within<L: Lanes>(wanted: Vector<L>, limit: L) -> Vector<L> {
    let length_squared = wanted.dot(wanted);
    // Up to the limit nothing is scaled; zero by zero does not arise.
    let scale = length_squared.if_above(limit * limit, limit.over(length_squared.root()), L::splat(1.0));
    wanted.times(scale)
}

#[inline(always)]
fn write<L: Lanes>([a, b]: [Eight<L>; 2], motions: &Motions, block: &Block) {
    a.write(motions, &block.a, block.free[0]);
    b.write(motions, &block.b, block.free[1]);
}

#[inline(always)]
pub(super) fn start<L: Lanes>(pack: &Pack, motions: &Motions, inertias: &[Wide]) {
    for block in &pack.blocks {
        let bodies = [Eight::<L>::read(motions, &block.a), Eight::read(motions, &block.b)];
        let impulse = Vector::read(&block.normal).times(L::read(&block.push)).plus(Vector::read(&block.drag));
        write(pushed(block, bodies, impulse, inertias, pack.even), motions, block);
    }
}

/// Each contact in turn: first along the normal (u·n ≥ target, push ≥ 0, one of them tight), then, with the sliding speed which that
/// leaves, across it (as little sliding as Coulomb's disc allows).
#[inline(always)]
pub(super) fn sweep<L: Lanes>(pack: &mut Pack, motions: &Motions, inertias: &[Wide], how: Sweep) -> f64 {
    if how == Sweep::Shifts {
        return shift::<L>(pack, motions, inertias);
    }
    let zero = L::splat(0.0);
    let mut change = zero;
    let mut rolling = if how == Sweep::Speeds { pack.rolling.iter_mut() } else { [].iter_mut() };
    for block in &mut pack.blocks {
        let (a, b) = (Eight::<L>::read(motions, &block.a), Eight::<L>::read(motions, &block.b));
        let normal = Vector::read(&block.normal);
        let (arm_a, arm_b) = (Vector::read(&block.arm_a), Vector::read(&block.arm_b));
        let speed = b.at(arm_b).minus(a.at(arm_a));
        let along = normal.dot(speed);
        let target = L::read(if how == Sweep::Speeds { &block.target } else { &block.second });
        let push = L::read(&block.push);
        let wanted = push - L::read(&block.mass) * (along - target);
        let new_push = wanted.or_more(zero);
        let pushes = new_push - push;
        let sliding = speed.minus(normal.times(along)).plus(Vector::read(&block.coupling).times(pushes));
        let drag = Vector::read(&block.drag);
        let wanted = drag.minus(sliding.times(L::read(&block.sliding_mass)));
        let new_drag = within(wanted, L::read(&block.friction) * new_push);
        let drags = new_drag.minus(drag);
        let impulse = normal.times(pushes).plus(drags);
        new_push.write(&mut block.push);
        for (to, x) in block.drag.iter_mut().zip(new_drag.0) {
            x.write(to);
        }
        let inverse = a.inverse_mass + b.inverse_mass;
        change = (impulse.dot(impulse) * (inverse * inverse)).or_more(change);
        let mut bodies = pushed(block, [a, b], impulse, inertias, pack.even);
        if let Some(rolling) = rolling.next() {
            bodies = rolled(block, rolling, bodies, inertias, pack.even);
        }
        write(bodies, motions, block);
    }
    let mut squares = Wide::ZERO;
    change.write(&mut squares);
    squares.0.into_iter().fold(0.0, f64::max).sqrt()
}

/// Along the normal only. A pushing contact may be pulled, by no more than it pushes: so gaps close where weight would close them.
#[inline(always)]
fn shift<L: Lanes>(pack: &mut Pack, motions: &Motions, inertias: &[Wide]) -> f64 {
    for block in &mut pack.blocks {
        let (a, b) = (Eight::<L>::read(motions, &block.a), Eight::<L>::read(motions, &block.b));
        let normal = Vector::read(&block.normal);
        let (arm_a, arm_b) = (Vector::read(&block.arm_a), Vector::read(&block.arm_b));
        let along = normal.dot(b.at(arm_b).minus(a.at(arm_a)));
        let push = L::read(&block.shift);
        let wanted = push - L::read(&block.mass) * (along - L::read(&block.second));
        let new_push = wanted.or_more(L::splat(0.0) - L::read(&block.push));
        new_push.write(&mut block.shift);
        let impulse = normal.times(new_push - push);
        write(pushed(block, [a, b], impulse, inertias, pack.even), motions, block);
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid::body::Inertia;
    use crate::rigid::pack::{Prepared, Yield, packed};
    use kontakt_math::{DMat3, DVec3};

    /// The widest unit gives the bits of eight doubles one after the other.
    #[test]
    fn units_agree_to_the_bit() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut number = || random.f64() * 2.0 - 1.0;
        for even in [true, false] {
            let mut vector = || DVec3::new(number(), number(), number());
            let inertia = |v: DVec3| {
                let inverse = DMat3::from_diagonal(DVec3::splat(1.0 + v.x * v.x));
                let uneven = DMat3::from_cols(
                    DVec3::new(0.1, v.x, v.y),
                    DVec3::new(v.x, 0.2, v.z),
                    DVec3::new(v.y, v.z, 0.3),
                );
                let inverse = if even { inverse } else { inverse + uneven * 0.1 };
                Inertia { inverse_mass: 1.0 + v.y.abs(), inverse, even: even.then_some(1.0 + v.x * v.x) }
            };
            let inertias: Vec<Inertia> = (0..32).map(|_| inertia(vector())).collect();
            let rows: Vec<[f64; 8]> = inertias
                .iter()
                .map(|own| {
                    let (v, w) = (vector(), vector());
                    [v.x, v.y, v.z, own.inverse_mass, w.x, w.y, w.z, own.even.unwrap_or(0.0)]
                })
                .collect();
            let packed: Vec<Wide> = inertias.iter().map(|own| packed(&own.inverse)).collect();
            // Each lane has bodies of its own.
            let cells: Vec<Vec<Prepared>> = (0..7_u32)
                .map(|lane| {
                    let contact = |k: u32| {
                        let slots = [4 * lane + k % 3, 4 * lane + 3];
                        let normal = vector().normalize();
                        let arms = [vector(), vector()];
                        let own = slots.map(|slot| &inertias[slot as usize]);
                        let Yield { mass, sliding_mass, coupling, turning_mass } =
                            Yield::of(normal, arms, own);
                        let free = [!k.is_multiple_of(4), true];
                        let (target, second, push) = (vector().x * 0.1, vector().x * 0.1, vector().x.abs());
                        let drag = normal.cross(vector()) * 0.1;
                        Prepared {
                            slots,
                            free,
                            even,
                            normal,
                            arms,
                            coupling,
                            mass,
                            sliding_mass,
                            friction: 0.4,
                            rolling: 0.3,
                            turning_mass,
                            target,
                            second,
                            push,
                            drag,
                        }
                    };
                    (0..9 - lane).map(contact).collect()
                })
                .collect();
            let cells: Vec<&[Prepared]> = cells.iter().map(Vec::as_slice).collect();
            let run = |wide: bool| {
                let motions = Motions::new(rows.iter().copied());
                let mut pack = Pack::new(&cells, even);
                let mut changes = Vec::new();
                if wide {
                    start_pack(&pack, &motions, &packed);
                } else {
                    start::<Portable>(&pack, &motions, &packed);
                }
                for how in [Sweep::Speeds, Sweep::Speeds, Sweep::Shifts, Sweep::Bounces] {
                    let change = if wide {
                        sweep_pack(&mut pack, &motions, &packed, how)
                    } else {
                        sweep::<Portable>(&mut pack, &motions, &packed, how)
                    };
                    changes.push(change.to_bits());
                }
                let ends: Vec<[u64; 8]> = (0..32).map(|slot| motions.row(slot).map(f64::to_bits)).collect();
                let pushes: Vec<[u64; 8]> =
                    pack.blocks.iter().map(|block| block.push.0.map(f64::to_bits)).collect();
                (changes, ends, pushes)
            };
            let (wide, portable) = (run(true), run(false));
            assert_eq!(wide, portable);
            assert!(
                portable.2.as_flattened().iter().filter(|bits| f64::from_bits(**bits) > 0.0).count() > 10
            );
        }
    }
}
