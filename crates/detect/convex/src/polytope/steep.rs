//! How steeply the edges from a vertex rise.

use super::ids::Ids;
use super::scan::Octet;
use kontakt_math::DVec3;
use std::ops::Range;

/// A rise below this part of the size counts as none: its square leaves the range of doubles.
pub(super) const LEAST: f64 = 1e-140;

/// From where, which way up, and how sure rises are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climb {
    pub(super) start: DVec3,
    pub(super) up: DVec3,
    /// A computed rise of the edge E may be off by this times |E|₁.
    pub(super) doubt: f64,
    /// Lengths are multiplied by this power of two, so that they are at most about 1.
    pub(super) unit: f64,
}

impl Climb {
    /// The greatest (|E| / (rise − doubt·|E|₁))² of the edges to the points of these numbers but for `spared`, to rounding; 0 without
    /// any, infinite when one does not surely rise: nor does one whose difference overflows, with its infinite |E|₁. At least seven more
    /// numbers follow those given.
    #[inline(always)]
    pub(super) fn steepest(&self, octets: &[Octet], ids: &Ids, places: Range<usize>, spared: u32) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(found) = super::steep_x86::steepest(self, octets, ids, places.clone(), spared) {
            return found;
        }
        self.steepest_portable(octets, ids, places, spared)
    }

    pub(super) fn steepest_portable(
        &self,
        octets: &[Octet],
        ids: &Ids,
        places: Range<usize>,
        spared: u32,
    ) -> f64 {
        let mut most = 0.0;
        ids.visit(places, |end| {
            let (octet, lane) = (&octets[end as usize / 8], end as usize % 8);
            let end_place = DVec3::new(octet.x[lane], octet.y[lane], octet.z[lane]);
            let edge = (end_place - self.start) * self.unit;
            let rise = self.up.dot(edge) - self.doubt * edge.abs().element_sum();
            let squared = if rise > LEAST { edge.length_squared() / (rise * rise) } else { f64::INFINITY };
            if end != spared && squared > most {
                most = squared;
            }
        });
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polytope;

    #[test]
    fn all_units_find_the_steepest() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut finite = 0;
        for count in [4, 12, 40, 200, 400] {
            let mut point = || DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
            let hull = Polytope::new(&(0..count).map(|_| point().normalize()).collect::<Vec<_>>()).unwrap();
            for from in 0..hull.vertex_count() {
                let climb = Climb {
                    start: hull.vertex(from),
                    up: (-hull.vertex(from) + point() * 0.15).normalize(),
                    doubt: 1e-14,
                    unit: 0.5,
                };
                let (ids, places) = hull.tables().neighbours_in_ids(from);
                let spared = ids.get(places.start);
                let wide = climb.steepest(hull.octets.all(), ids, places.clone(), spared);
                let portable = climb.steepest_portable(hull.octets.all(), ids, places.clone(), spared);
                assert!(wide == portable || (wide / portable - 1.0).abs() < 1e-9, "{wide} {portable}");
                // By hand.
                let mut most = 0.0;
                hull.neighbours(from, |to| {
                    let edge = hull.vertex(to) - climb.start;
                    let rise = climb.up.dot(edge) / edge.length();
                    most = f64::max(
                        most,
                        if to == spared {
                            0.0
                        } else if rise > 0.0 {
                            rise.recip()
                        } else {
                            f64::INFINITY
                        },
                    );
                });
                finite += usize::from(most.is_finite());
                assert!(
                    wide.sqrt() == most || (wide.sqrt() / most - 1.0).abs() < 1e-6 || most > 1e6,
                    "{wide} {most}"
                );
            }
        }
        assert!(finite > 100, "{finite}");
    }
}
