//! parry, linked: the same code for its single-precision and its double-precision crate.

use crate::clock::timed;
use crate::data::scenes::{PlainMesh, Scene};

/// A way parry answers a question at many poses. `pairs` and `contact` of the loop walk `Bvh::leaf_pairs` with B's boxes
/// carried into A's frame, as parry's own mesh intersection does, and test triangles by parry's GJK.
macro_rules! parry_meshes {
    ($module:ident, $parry:ident, $real:ty) => {
        /// One of the two crates.
        pub(crate) mod $module {
            use super::{PlainMesh, Scene, timed};
            use $parry::bounding_volume::BoundingVolume;
            use $parry::math::{Pose, Rotation, Vector};
            use $parry::partitioning::BvhNode;
            use $parry::query::details::intersection_test_support_map_support_map;
            use $parry::shape::TriMesh;

            /// Both meshes with their trees, and the poses of B.
            pub(crate) struct Meshes {
                a: TriMesh,
                b: TriMesh,
                poses: Vec<Pose>,
            }

            /// The mesh with parry's default tree.
            pub(crate) fn mesh(mesh: &PlainMesh) -> Result<TriMesh, String> {
                let vertices =
                    mesh.vertices.iter().map(|v| Vector::from_array(v.map(|x| x as $real))).collect();
                TriMesh::new(vertices, mesh.triangles.clone()).map_err(|error| error.to_string())
            }

            impl Meshes {
                /// Builds both trees.
                pub(crate) fn of(scene: &Scene) -> Result<Meshes, String> {
                    let pose = |pose: &crate::data::scenes::PlainPose| {
                        Pose::from_parts(
                            Vector::from_array(pose.translation.map(|x| x as $real)),
                            Rotation::from_array(pose.rotation.map(|x| x as $real)),
                        )
                    };
                    let poses = scene.poses.iter().map(pose).collect();
                    Ok(Meshes { a: mesh(&scene.a)?, b: mesh(&scene.b)?, poses })
                }

                fn candidates(&self, pose: &Pose, margin: $real) -> impl Iterator<Item = (u32, u32)> {
                    self.a.bvh().leaf_pairs(self.b.bvh(), move |a: &BvhNode, b: &BvhNode| {
                        let b = b.aabb().transform_by(pose);
                        a.aabb().intersects(&if margin > 0.0 { b.loosened(margin) } else { b })
                    })
                }

                fn meeting(&self, pose: &Pose) -> impl Iterator<Item = (u32, u32)> {
                    self.candidates(pose, 0.0).filter(|&(a, b)| {
                        let (a, b) = (self.a.triangle(a), self.b.triangle(b));
                        intersection_test_support_map_support_map(pose, &a, &b)
                    })
                }

                /// Pairs of triangles whose boxes, B's grown by `margin`, meet at each pose.
                #[allow(dead_code, reason = "the truth is found with one of the two crates")]
                pub(crate) fn candidate_lists(&self, margin: $real) -> impl Iterator<Item = Vec<(u32, u32)>> {
                    self.poses.iter().map(move |pose| self.candidates(pose, margin).collect())
                }

                /// Any contact at each pose by the loop; seconds for all.
                pub(crate) fn contact_by_loop(&self) -> (f64, Vec<bool>) {
                    timed(|| self.poses.iter().map(|pose| self.meeting(pose).next().is_some()).collect())
                }

                /// All pairs at each pose by the loop; seconds for all.
                pub(crate) fn pairs_by_loop(&self) -> (f64, Vec<Vec<[u32; 2]>>) {
                    timed(|| {
                        let pairs = |pose| self.meeting(pose).map(|(a, b)| [a, b]).collect();
                        self.poses.iter().map(pairs).collect()
                    })
                }

                /// Any contact at each of the first poses by the documented call; seconds a query.
                pub(crate) fn contact_by_call(&self, poses: usize) -> (f64, Vec<bool>) {
                    let (seconds, answers): (f64, Vec<bool>) = timed(|| {
                        let ask = |pose| {
                            $parry::query::intersection_test(&Pose::IDENTITY, &self.a, pose, &self.b)
                                .is_ok_and(|answer| answer.intersecting)
                        };
                        self.poses.iter().take(poses).map(ask).collect()
                    });
                    (seconds / answers.len() as f64, answers)
                }

                /// Distance at each of the first poses by the documented call; seconds a query.
                pub(crate) fn distance_by_call(&self, poses: usize) -> (f64, Vec<f64>) {
                    let (seconds, answers): (f64, Vec<f64>) = timed(|| {
                        let ask = |pose| {
                            $parry::query::distance(&Pose::IDENTITY, &self.a, pose, &self.b)
                                .map_or(f64::NAN, |answer| f64::from(answer.distance))
                        };
                        self.poses.iter().take(poses).map(ask).collect()
                    });
                    (seconds / answers.len() as f64, answers)
                }
            }
        }
    };
}

parry_meshes!(single, parry3d, f32);
parry_meshes!(double, parry3d_f64, f64);
