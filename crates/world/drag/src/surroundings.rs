//! All that can come into contact soon: gathered once, good for as long as the body has not travelled too far.

use crate::near::{Kind, Near, Other, Sight};
use crate::obstacle::Standing;
use crate::proxy::Proxy;
use crate::spot::Spot;
use kontakt_convex::{ConvexQuery, PlacedShape};
use kontakt_math::{Between, DQuat, DVec3, Pose};
use kontakt_mesh::{FacePair, MeshQuery, MeshShapeQuery, NearPair, PlacedMesh};
use kontakt_pair::{Body, together};

/// Who asks the kernels: scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Askers {
    faces: MeshQuery,
    mesh_and_shape: MeshShapeQuery,
    pub(crate) convex: ConvexQuery,
    pairs: Vec<NearPair>,
}

/// The pairs of pieces that were near at some pose.
///
/// What holds: with `travelled` **never less** than the way any point of the body has gone since then, every pair that is not listed is
/// farther apart than `radius − travelled`, and pair i has no common point while `travelled < clear[i]`, as long as it was proven free on the way.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// The frame of all places.
    pub(crate) anchor: Pose,
    pub(crate) near: Vec<Near>,
    pub(crate) clear: Vec<f64>,
    pub(crate) others: Vec<Other>,
    /// Pairs beyond this were not gathered.
    pub(crate) radius: f64,
    pub(crate) travelled: f64,
}

impl Surroundings {
    /// Nothing is known.
    pub(crate) fn unknown() -> Surroundings {
        Surroundings {
            anchor: Pose::IDENTITY,
            near: Vec::new(),
            clear: Vec::new(),
            others: Vec::new(),
            radius: 0.0,
            travelled: 0.0,
        }
    }

    /// How far the body may still travel.
    pub(crate) fn left(&self) -> f64 {
        (self.radius - self.travelled) * (1.0 - 1e-9)
    }

    /// Gathers all pairs within `radius` of a body at a pose; `false`, and nothing known, where there are more than `most`.
    /// Those within `within` are measured.
    pub(crate) fn gather(
        &mut self,
        proxy: &Proxy,
        obstacles: &[Standing],
        askers: &mut Askers,
        pose: Pose,
        (radius, within, most): (f64, f64, usize),
    ) -> bool {
        self.near.clear();
        self.clear.clear();
        self.others.clear();
        (self.radius, self.travelled) = (0.0, 0.0);
        let centre = pose.apply(proxy.centre);
        let Ok(anchor) = Pose::new(DQuat::IDENTITY, centre) else { return false };
        self.anchor = anchor;
        let reach = proxy.radius + pose.apply_error(proxy.centre);
        for (number, obstacle) in obstacles.iter().enumerate() {
            let slack = together([proxy.body.deviation(), obstacle.given.body.deviation()]);
            let distance = (radius + slack) * (1.0 + 1e-12);
            if !obstacle.may_be_within(distance, centre, reach) {
                continue;
            }
            let found = self.add(proxy, (number, obstacle), askers, pose, (distance, slack, most));
            if !found || self.near.len() > most {
                self.near.clear();
                self.clear.clear();
                self.others.clear();
                return false;
            }
        }
        self.radius = radius;
        self.measure(proxy, askers, pose, within);
        true
    }

    /// The pairs with one obstacle.
    fn add(
        &mut self,
        proxy: &Proxy,
        (number, obstacle): (usize, &Standing),
        askers: &mut Askers,
        pose: Pose,
        (distance, slack, most): (f64, f64, usize),
    ) -> bool {
        let Askers { faces, mesh_and_shape, pairs, .. } = askers;
        pairs.clear();
        let given = &obstacle.given;
        // The convex sets of the obstacle follow one another from here on.
        let first = self.others.len() as u32;
        let far = 4.0 * (proxy.radius + distance);
        let others = obstacle.leaves.iter().map(|leaf| Other::new(leaf.clone(), &self.anchor, far));
        self.others.extend(others);
        let (complete, kind) = match (proxy.mesh(), given.body.surface()) {
            (Some(own), Some(other)) => {
                let (a, b) = (PlacedMesh::new(own, pose), PlacedMesh::new(other, given.pose));
                (faces.near_pairs(a, b, distance, most, pairs), Kind::Faces)
            }
            (Some(own), None) => {
                let (Body::Convex(shape), a) = (&given.body, PlacedMesh::new(own, pose)) else {
                    return false;
                };
                let b = PlacedShape::new(shape.shape(), given.pose);
                (mesh_and_shape.near_pairs(a, b, distance, most, pairs), Kind::FaceAndLeaf)
            }
            (None, Some(other)) => {
                let (Body::Convex(shape), b) = (&proxy.body, PlacedMesh::new(other, given.pose)) else {
                    return false;
                };
                let a = PlacedShape::new(shape.shape(), pose);
                let complete = mesh_and_shape.near_pairs(b, a, distance, most, pairs);
                for near in pairs.iter_mut() {
                    near.pair = near.pair.swapped();
                }
                (complete, Kind::LeafAndFace)
            }
            (None, None) => {
                let counts = [proxy.leaves.len() as u32, obstacle.leaves.len() as u32];
                let all = (0..counts[0]).flat_map(|a| (0..counts[1]).map(move |b| FacePair { a, b }));
                pairs.extend(all.map(|pair| NearPair { pair, gap: 0.0 }));
                (pairs.len() <= most, Kind::Leaves)
            }
        };
        let between = Between::new(self.anchor, given.pose);
        // What the walk knows of gaps is of triangles; deviations come off.
        self.clear.extend(pairs.iter().map(|near| (near.gap - slack) * (1.0 - 1e-9)));
        let near = pairs.iter().map(|&NearPair { pair, .. }| {
            let faces_of = |body: &Body, triangle: u32| {
                body.surface()
                    .map_or([DVec3::ZERO; 3], |mesh| mesh.faces().triangle_points(triangle as usize))
            };
            let of_leaf = matches!(kind, Kind::FaceAndLeaf | Kind::Leaves);
            let y = if of_leaf { [DVec3::ZERO; 3] } else { faces_of(&given.body, pair.b) };
            let error = y.iter().map(|y| between.error_at(*y)).fold(0.0, f64::max);
            let placed = y.map(|y| if of_leaf { y } else { between.b_in_a(y) });
            let size = placed.iter().fold(DVec3::ZERO, |size, y| size.max(y.abs())).max_element();
            Near {
                kind,
                obstacle: number as u32,
                own: pair.a,
                other: if of_leaf { first + pair.b } else { pair.b },
                x: if matches!(kind, Kind::LeafAndFace | Kind::Leaves) {
                    [DVec3::ZERO; 3]
                } else {
                    faces_of(&proxy.body, pair.a)
                },
                y: placed,
                error: (error + slack) * (1.0 + 1e-9),
                size,
                normal: DVec3::ZERO,
                level: 0.0,
            }
        });
        self.near.extend(near);
        complete
    }

    /// Until which travel each pair is clear, and across which direction. What is known from the walk is good enough for pairs farther
    /// apart than `within`.
    fn measure(&mut self, proxy: &Proxy, askers: &mut Askers, pose: Pose, within: f64) {
        let spot = Spot::new(proxy, &self.anchor, pose);
        let Surroundings { near, clear, others, .. } = self;
        let sight = Sight { proxy, others, from: &spot, to: &spot };
        for (near, clear) in near.iter_mut().zip(clear).filter(|(_, clear)| **clear < within) {
            let (normal, gap) = near.measured(&sight, &mut askers.convex);
            near.keep(others, normal);
            *clear = clear.max(gap);
        }
    }

    /// Whether every pair is proven apart where the body is.
    pub(crate) fn is_free(&self) -> bool {
        self.clear.iter().all(|clear| *clear > self.travelled)
    }
}
