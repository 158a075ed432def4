//! A headlamp: its housing with two bayonets, the cover that closes it and the bulb inside. Millimetres; z points out of the
//! housing, along which cover and bulb are pulled once they are turned out of their bayonets.

use super::lathe::{Corner, Fineness, Windows, cut, mapped, round, turned};
use kontakt::shapes::{FaceSet, FaceSetError};

/// A bayonet: lugs on the part go down slots and are turned into a groove.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bayonet {
    /// Radius of the bore, and of slots and groove.
    bore: f64,
    channel: f64,
    /// Where the groove begins and ends along z.
    groove: [f64; 2],
    /// Half the angle of a slot, and the angle from slot to lock.
    half: f64,
    pub(super) turn: f64,
    /// Room of the part in the bore, and of its lugs to the sides.
    gap: f64,
    side: f64,
}

/// The cover's in the housing.
pub(super) const COVER: Bayonet = Bayonet {
    bore: 45.0,
    channel: 49.0,
    groove: [-10.0, -4.0],
    half: 0.16,
    turn: 0.6,
    gap: 0.6,
    side: 0.016,
};

/// The bulb's in its socket.
pub(super) const BULB: Bayonet = Bayonet {
    bore: 12.0,
    channel: 15.0,
    groove: [-44.0, -39.0],
    half: 0.24,
    turn: 0.7,
    gap: 0.4,
    side: 0.03,
};

impl Bayonet {
    fn slots(&self, lugs: u32) -> Windows {
        Windows::around(lugs, 0.0, self.half)
    }

    fn grooves(&self, lugs: u32) -> Windows {
        Windows { count: lugs, from: -self.half, to: self.turn + self.half }
    }

    /// Locked at rest.
    fn lugs(&self, lugs: u32) -> Windows {
        Windows::around(lugs, self.turn, self.half - self.side)
    }

    /// The way down through slots (windows number `slot`) and groove (the next number).
    fn socket(&self, top: f64, slot: usize) -> [Corner; 6] {
        let depth = self.channel - self.bore;
        let [bottom, roof] = self.groove;
        [
            cut(self.bore, top, slot, depth),
            cut(self.bore, roof + 0.1, slot, depth),
            cut(self.bore, roof - 0.1, slot + 1, depth),
            cut(self.bore, bottom + 0.1, slot + 1, depth),
            round(self.bore, bottom - 0.1),
            round(self.bore, bottom - 2.0),
        ]
    }

    /// The way up along the part with its lugs (windows number 0).
    fn plug(&self) -> [Corner; 4] {
        let (radius, height) = (self.bore - self.gap, self.channel - self.bore);
        let [bottom, roof] = self.groove;
        [
            round(radius, bottom + 0.4),
            cut(radius, bottom + 0.6, 0, height),
            cut(radius, roof - 0.6, 0, height),
            round(radius, roof - 0.4),
        ]
    }
}

/// Which lamp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lamp {
    /// Size against the main lamp.
    pub(super) scale: f64,
    /// Lugs of its bayonets.
    pub(super) lugs: u32,
}

/// The three bodies of a lamp, in place at rest and locked.
pub(super) struct Parts {
    pub(super) housing: FaceSet,
    pub(super) cover: FaceSet,
    pub(super) bulb: FaceSet,
}

impl Lamp {
    pub(super) fn parts(self, fineness: Fineness) -> Result<Parts, FaceSetError> {
        let scaled = |faces: FaceSet| mapped(&faces, |v| v * self.scale);
        Ok(Parts {
            housing: scaled(self.housing(fineness)?)?,
            cover: scaled(self.cover(fineness)?)?,
            bulb: scaled(self.bulb(fineness)?)?,
        })
    }

    /// A cup with the cover's bayonet at its rim, the socket of the bulb below and the reflector's bowl under that.
    fn housing(self, fineness: Fineness) -> Result<FaceSet, FaceSetError> {
        let outside =
            [(34.0, -112.0), (46.0, -104.0), (52.0, -90.0), (54.0, -40.0), (54.0, -0.5), (53.5, 0.0)];
        let bowl =
            [(16.0, -56.0), (28.0, -66.0), (38.0, -80.0), (43.0, -95.0), (40.0, -103.0), (30.0, -106.0)];
        let shelf = [round(COVER.bore, -30.0), round(20.0, -30.0)];
        let plain = |corners: &[(f64, f64)]| -> Vec<Corner> {
            corners.iter().map(|&(radius, z)| round(radius, z)).collect()
        };
        let profile: Vec<Corner> = plain(&outside)
            .into_iter()
            .chain(COVER.socket(0.0, 0))
            .chain(shelf)
            .chain(BULB.socket(-30.0, 2))
            .chain([round(BULB.bore, -52.0)])
            .chain(plain(&bowl))
            .collect();
        let windows = [
            COVER.slots(self.lugs),
            COVER.grooves(self.lugs),
            BULB.slots(self.lugs),
            BULB.grooves(self.lugs),
        ];
        turned(&profile, windows, fineness)
    }

    /// A lid with lugs on its skirt and a ribbed grip.
    fn cover(self, fineness: Fineness) -> Result<FaceSet, FaceSetError> {
        let skirt = COVER.bore - COVER.gap;
        let profile: Vec<Corner> = [round(30.0, -12.0), round(skirt - 0.6, -12.0), round(skirt, -11.4)]
            .into_iter()
            .chain(COVER.plug())
            .chain([
                round(skirt, 0.6),
                round(52.0, 0.6),
                round(52.0, 4.0),
                round(50.0, 4.6),
                round(26.0, 5.0),
            ])
            .chain([cut(24.0, 6.0, 1, 2.0), cut(23.0, 13.0, 1, 2.0), round(22.0, 14.0)])
            .collect();
        let ribs = Windows::around(12, 0.1, 0.09);
        turned(&profile, [COVER.lugs(self.lugs), ribs, ribs, ribs], fineness)
    }

    /// Glass below, base with lugs, flange and plug above.
    fn bulb(self, fineness: Fineness) -> Result<FaceSet, FaceSetError> {
        let glass = [
            (1.5, -88.0),
            (5.0, -86.0),
            (8.5, -81.0),
            (10.2, -74.0),
            (10.4, -68.0),
            (9.0, -60.0),
            (7.0, -54.0),
        ];
        let base = BULB.bore - BULB.gap;
        let profile: Vec<Corner> = glass
            .iter()
            .map(|&(radius, z)| round(radius, z))
            .chain([round(7.0, -50.5), round(base - 0.4, -50.0), round(base, -49.6)])
            .chain(BULB.plug())
            .chain([round(base, -29.5), round(17.0, -29.5), round(17.0, -27.5), round(9.0, -27.0)])
            .chain([cut(9.0, -26.0, 1, 1.5), cut(9.0, -20.0, 1, 1.5), round(8.5, -18.0)])
            .collect();
        let ribs = Windows::around(6, 0.2, 0.25);
        // A bulb is a quarter as wide as its lamp: as many faces around it would be needlessly thin.
        let fineness = Fineness { around: fineness.around / 2, step: 0.6 * fineness.step };
        turned(&profile, [BULB.lugs(self.lugs), ribs, ribs, ribs], fineness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::math::{DVec3, Pose};
    use kontakt::mesh::{Mesh, MeshQuery, PlacedMesh};
    use kontakt::shapes::{MassProperties, Topology};

    const COARSE: Fineness = Fineness { around: 40, step: 12.0 };

    #[test]
    fn every_part_is_closed_turned_outward_and_free_of_folds() {
        for lugs in [3, 4] {
            let Parts { housing, cover, bulb } = Lamp { scale: 1.0, lugs }.parts(COARSE).unwrap();
            for (name, part) in [("housing", housing), ("cover", cover), ("bulb", bulb)] {
                let topology = Topology::of(&part);
                assert!(topology.closed && topology.oriented, "{name}: {topology:?}");
                assert_eq!(topology.euler_characteristic, 2, "{name}");
                assert!(MassProperties::of(&part).volume > 0.0, "{name}");
                assert!(
                    (1000..12_000).contains(&part.triangles().len()),
                    "{name}: {}",
                    part.triangles().len()
                );
                assert_eq!(Mesh::new(part).unwrap().self_intersections(10).pairs.len(), 0, "{name}");
            }
        }
    }

    /// Locked, a part can be turned but not pulled; turned out, it can be pulled.
    #[test]
    fn bayonets_lock() {
        let parts = Lamp { scale: 1.0, lugs: 3 }.parts(COARSE).unwrap();
        let housing = Mesh::new(parts.housing).unwrap();
        let mut asker = MeshQuery::new();
        for (part, bayonet) in [(parts.cover, COVER), (parts.bulb, BULB)] {
            let part = Mesh::new(part).unwrap();
            let mut meets = |angle: f64, height: f64| {
                let pose = Pose::from_axis_angle(DVec3::Z, angle, DVec3::Z * height).unwrap();
                asker.any_contact(PlacedMesh::at_rest(&housing), PlacedMesh::new(&part, pose)).is_some()
            };
            assert!(!meets(0.0, 0.0) && !meets(-0.5 * bayonet.turn, 0.0) && !meets(-bayonet.turn, 0.0));
            assert!(meets(0.0, 2.0) && meets(-0.5 * bayonet.turn, 2.0) && !meets(-bayonet.turn, 2.0));
            assert!(meets(0.1, 0.0), "turned beyond its stop");
            assert!((0..40).all(|k| !meets(-bayonet.turn, 3.0 * f64::from(k))));
        }
    }
}
