//! Which bodies come near each other in a step, and in which cell a pair is solved.

use super::body::Body;
use super::error::StepError;
use super::form::Form;
use super::settings::{Periodic, Settings};
use kontakt_bounds::Aabb;
use kontakt_broad::{BoxId, BroadPhase};
use kontakt_convex::Core;
use kontakt_distributed::{Cell, Extent, Grid};
use kontakt_math::DVec3;
use kontakt_pair::Body as Geometry;

/// Two bodies by their slots, the smaller first, and which of their images: one period less along the axes of the set bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) slots: [u32; 2],
    pub(crate) images: [u8; 2],
}

/// Where a pair is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) cell: Cell,
    /// The borders that the pair lies across, as bits.
    pub(crate) across: u8,
}

impl Place {
    /// Its number among all colours: in this order they are solved. Pairs across the same borders see all bodies at one place each, one
    /// period lower where they are near an upper border; so eight colours of cells do for each set of borders, too.
    pub(crate) fn colour(self) -> u32 {
        (self.cell.level.min(1 << 20) * 8 + u32::from(self.across)) * 8 + self.cell.colour()
    }

    /// A number for the cell. Cells that share one have a colour in common, so solving them one after the other changes nothing.
    pub(crate) fn key(self) -> u64 {
        let [x, y, z] = self.cell.at.map(|x| (x as u64) & 0x1f_ffff);
        z << 42 | y << 21 | x
    }
}

/// Boxes kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Near {
    broad: BroadPhase,
    /// By slot; none of what has no end, for which a search for boxes has no use.
    ids: Vec<Option<BoxId>>,
    /// The other way round.
    slots: Vec<u32>,
    /// By slot, grown by what may happen in the step.
    boxes: Vec<Aabb>,
    /// Slots of what has no end.
    endless: Vec<u32>,
}

/// Half of the distance at which a pair becomes of interest: how far the body's surface may come in a step, and a margin.
fn reach(body: &Body, form: &Form, settings: &Settings) -> f64 {
    let time = settings.part();
    let gained = if body.is_free() && !body.asleep { settings.gravity.length() * time } else { 0.0 };
    margin(body, form, settings) + time * (gained + body.velocity.length() + spin_reach(body, form))
}

/// What is nearer than the sum of both bodies' is a contact, whether they move or not.
pub(crate) fn margin(body: &Body, form: &Form, settings: &Settings) -> f64 {
    if body.is_free() { settings.margin * form.size() } else { 0.0 }
}

/// How fast its surface moves by its spin. That of a ball stays where it is.
pub(crate) fn spin_reach(body: &Body, form: &Form) -> f64 {
    if body.spin == DVec3::ZERO || form.is_ball() || form.is_endless() {
        return 0.0;
    }
    body.spin.length() * form.radius()
}

impl Near {
    /// Forgets all boxes: the bodies are others.
    pub(crate) fn reset(&mut self) {
        *self = Near::default();
    }

    /// By slot, grown by what may happen in the step.
    pub(crate) fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// All pairs of bodies, one of them free, whose grown boxes meet; sorted.
    pub(crate) fn pairs(
        &mut self,
        bodies: &[Body],
        forms: &[Form],
        settings: &Settings,
    ) -> Result<Vec<Pair>, StepError> {
        self.place(bodies, forms, settings)?;
        let counts = |[a, b]: [u32; 2]| bodies[a as usize].is_free() || bodies[b as usize].is_free();
        let mut found = Vec::new();
        for &[a, b] in self.broad.update()?.pairs {
            let slots = [self.slots[a.index()], self.slots[b.index()]];
            if counts(slots) {
                found.push(Pair { slots, images: [0, 0] });
            }
        }
        let ordered = found.len();
        for &slot in &self.endless {
            self.near_endless(bodies, forms, slot, &mut found);
        }
        self.across_borders(bodies, settings.periodic, &mut found);
        if found.len() > ordered {
            found.sort_unstable();
        }
        Ok(found)
    }

    /// The box of a body, grown by what may happen in a step.
    pub(crate) fn grown(body: &Body, form: &Form, settings: &Settings) -> Aabb {
        form.aabb(body.place, body.turn).inflated(reach(body, form, settings))
    }

    fn place(&mut self, bodies: &[Body], forms: &[Form], settings: &Settings) -> Result<(), StepError> {
        let fresh = self.boxes.len() != bodies.len();
        if fresh {
            self.reset();
        }
        for (slot, body) in bodies.iter().enumerate() {
            let form = &forms[body.form as usize];
            let grown = Near::grown(body, form, settings);
            let named = |error| StepError::Box { id: body.id, error };
            if fresh {
                self.boxes.push(grown);
                if form.is_endless() {
                    self.endless.push(slot as u32);
                    self.ids.push(None);
                } else {
                    self.ids.push(Some(self.broad.insert(grown).map_err(named)?));
                    self.slots.push(slot as u32);
                }
            } else if let Some(id) = self.ids[slot]
                && self.boxes[slot] != grown
            {
                self.broad.move_to(id, grown).map_err(named)?;
                self.boxes[slot] = grown;
            }
        }
        Ok(())
    }

    /// Free bodies whose boxes reach to a half-space; all of them, where it is a union that has no end.
    fn near_endless(&self, bodies: &[Body], forms: &[Form], endless: u32, found: &mut Vec<Pair>) {
        let body = &bodies[endless as usize];
        let plane = match forms[body.form as usize].geometry() {
            Geometry::Convex(shape) => match shape.shape().core() {
                Core::HalfSpace { normal, offset } => {
                    let length = normal.length();
                    let grown = shape.shape().radii().into_iter().sum::<f64>();
                    Some((body.turn * (*normal / length), offset / length + grown))
                }
                _ => None,
            },
            _ => None,
        };
        for slot in (0..bodies.len()).filter(|&slot| bodies[slot].is_free()) {
            let near = plane.is_none_or(|(normal, offset)| {
                let b = &self.boxes[slot];
                let lowest = DVec3::select(normal.cmplt(DVec3::ZERO), b.max, b.min);
                let roundings = 1e-12 * (lowest.length() + body.place.length() + offset.abs());
                (lowest - body.place).dot(normal) <= offset + roundings
            });
            if near {
                let slot = slot as u32;
                found.push(Pair { slots: [slot.min(endless), slot.max(endless)], images: [0, 0] });
            }
        }
    }

    /// Pairs across the borders of a periodic world.
    ///
    /// A body near an upper border has images one period lower. Of each pair, exactly one body is shifted along each axis that it lies
    /// across, and none along the others: so each pair is named once, and bodies that share a set of borders have one place each.
    fn across_borders(&self, bodies: &[Body], periodic: Periodic, found: &mut Vec<Pair>) {
        if periodic.period == [None; 3] {
            return;
        }
        let widest = |k: usize| {
            let widths = self.boxes.iter().map(|b| b.max[k] - b.min[k]).filter(|width| width.is_finite());
            widths.fold(0.0, f64::max)
        };
        let rim: [f64; 3] = std::array::from_fn(widest);
        let mut items: Vec<(u32, u8, Aabb)> = Vec::new();
        for slot in self.slots.iter().copied() {
            let b = &self.boxes[slot as usize];
            let (mut upper, mut lower) = (0, 0);
            for (k, period) in periodic.period.iter().enumerate() {
                let Some(period) = *period else { continue };
                upper |= u8::from(b.max[k] + rim[k] >= period) << k;
                lower |= u8::from(b.min[k] - rim[k] <= 0.0) << k;
            }
            for image in (0..8).filter(|image| image & !upper == 0) {
                if image != 0 || upper | lower != 0 {
                    items.push((slot, image, shifted(b, image, periodic)));
                }
            }
        }
        let mut broad = BroadPhase::new();
        for (_, _, b) in &items {
            if broad.insert(*b).is_err() {
                return;
            }
        }
        let Ok(step) = broad.update() else { return };
        for &[p, q] in step.pairs {
            let [first, second] = [p, q].map(|id| (items[id.index()].0, items[id.index()].1));
            let (first, second) = (first.min(second), first.max(second));
            let free = [first, second].iter().any(|item| bodies[item.0 as usize].is_free());
            if free && first.0 != second.0 && first.1 != second.1 && first.1 & second.1 == 0 {
                found.push(Pair { slots: [first.0, second.0], images: [first.1, second.1] });
            }
        }
    }

    /// The cell of a pair: of two free bodies the one, on the level of the larger, that holds the least corner of what their boxes have in
    /// common; of a free and an immovable one that of the free one's middle. Its box meets that cell, as it does all cells it is solved in.
    pub(crate) fn cell(
        &self,
        pair: &Pair,
        bodies: &[Body],
        periodic: Periodic,
        cells: &Cells,
    ) -> Option<Place> {
        let extent = |k: usize| {
            let b = shifted(&self.boxes[pair.slots[k] as usize], pair.images[k], periodic);
            cells.extent(&b)
        };
        let free = pair.slots.map(|slot| bodies[slot as usize].is_free());
        let across = pair.images[0] | pair.images[1];
        let cell = if free == [true, true] {
            let (a, b) = (extent(0)?, extent(1)?);
            let level = cells.grid.level(&a).max(cells.grid.level(&b));
            cells.grid.cell(level, a.common(&b)?.min)
        } else {
            let own = extent(usize::from(free[1]))?;
            cells.grid.cell(cells.grid.level(&own), own.min * 0.5 + own.max * 0.5)
        };
        Some(Place { cell, across })
    }
}

/// What an image is moved by.
pub(crate) fn shift(image: u8, periodic: Periodic) -> DVec3 {
    let along = |k: usize| if image >> k & 1 == 1 { periodic.period[k].unwrap_or(0.0) } else { 0.0 };
    DVec3::new(along(0), along(1), along(2))
}

pub(crate) fn shifted(b: &Aabb, image: u8, periodic: Periodic) -> Aabb {
    let by = shift(image, periodic);
    Aabb { min: b.min - by, max: b.max - by }
}

/// Cells of space: a grid of side 1 in units of the side that the scene has chosen. All ranks have the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    pub(crate) grid: Grid,
    pub(crate) side: f64,
}

impl Cells {
    /// Where a box is, in units of the side. Rounding is monotone: boxes that meet do so here.
    pub(crate) fn extent(&self, b: &Aabb) -> Option<Extent> {
        Extent::new(b.min / self.side, b.max / self.side).ok()
    }
}
