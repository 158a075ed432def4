//! parry on convex bodies, linked: the same code for its single-precision and its double-precision crate.

use crate::clock::timed;
use crate::data::bodies::{Kind, Query};
use crate::data::scenes::{PlainMesh, PlainPose};

/// Calls `parry::query::details::…` for the concrete types: what `parry::query` does behind its dispatcher.
macro_rules! parry_bodies {
    ($module:ident, $parry:ident, $real:ty) => {
        /// One of the two crates.
        pub(crate) mod $module {
            use super::{Kind, PlainMesh, PlainPose, Query, timed};
            use $parry::math::{Pose, Rotation, Vector};
            use $parry::query::details;
            use $parry::shape::{ConvexPolyhedron, Cuboid, SupportMap};

            /// parry has no ellipsoids; a user writes this.
            struct Ellipsoid {
                radii: Vector,
            }

            impl SupportMap for Ellipsoid {
                fn local_support_point(&self, direction: Vector) -> Vector {
                    let scaled = self.radii * direction;
                    self.radii * (scaled / scaled.length())
                }
            }

            enum Shape {
                Box(Cuboid),
                Ellipsoid(Ellipsoid),
                Hull(ConvexPolyhedron),
            }

            /// Shapes and queries as parry has them.
            pub(crate) struct Bodies {
                shapes: Vec<Shape>,
                queries: Vec<([usize; 2], [Pose; 2])>,
            }

            fn vector(v: [f64; 3]) -> Vector {
                Vector::from_array(v.map(|x| x as $real))
            }

            fn shape(kind: Kind, mesh: &PlainMesh) -> Result<Shape, String> {
                let first = vector(mesh.vertices[0]);
                Ok(match kind {
                    Kind::Box => Shape::Box(Cuboid::new(first)),
                    Kind::Ellipsoid => Shape::Ellipsoid(Ellipsoid { radii: first }),
                    Kind::Hull => {
                        let points = mesh.vertices.iter().copied().map(vector).collect();
                        let hull = ConvexPolyhedron::from_convex_mesh(points, &mesh.triangles);
                        Shape::Hull(hull.ok_or("parry refuses a hull")?)
                    }
                })
            }

            fn pose(pose: &PlainPose) -> Pose {
                let rotation = Rotation::from_array(pose.rotation.map(|x| x as $real));
                Pose::from_parts(vector(pose.translation), rotation)
            }

            fn prepared(query: &Query) -> ([usize; 2], [Pose; 2]) {
                (query.shapes, [pose(&query.poses[0]), pose(&query.poses[1])])
            }

            impl Bodies {
                /// Converts everything.
                pub(crate) fn of(bodies: &crate::data::bodies::Bodies) -> Result<Bodies, String> {
                    let shapes = bodies.shapes.iter().map(|mesh| shape(bodies.kind, mesh));
                    let queries = bodies.queries.iter().map(prepared).collect();
                    Ok(Bodies { shapes: shapes.collect::<Result<_, String>>()?, queries })
                }

                fn ask(
                    &self,
                    (shapes, poses): &([usize; 2], [Pose; 2]),
                    question: &mut impl FnMut(&Pose, Pair<'_>) -> f64,
                ) -> f64 {
                    let place = poses[0].inv_mul(&poses[1]);
                    match shapes.map(|shape| &self.shapes[shape]) {
                        [Shape::Box(a), Shape::Box(b)] => question(&place, Pair::Boxes(a, b)),
                        [Shape::Ellipsoid(a), Shape::Ellipsoid(b)] => {
                            question(&place, Pair::Ellipsoids(a, b))
                        }
                        [Shape::Hull(a), Shape::Hull(b)] => question(&place, Pair::Hulls(a, b)),
                        _ => f64::NAN,
                    }
                }

                fn ask_all(&self, mut question: impl FnMut(&Pose, Pair<'_>) -> f64) -> (f64, Vec<f64>) {
                    let (seconds, answers): (f64, Vec<f64>) =
                        timed(|| self.queries.iter().map(|query| self.ask(query, &mut question)).collect());
                    (seconds / self.queries.len() as f64, answers)
                }

                /// Distance at each query, 0 in contact; seconds a query.
                pub(crate) fn distance(&self) -> (f64, Vec<f64>) {
                    self.ask_all(distance)
                }

                /// Depth at each query by GJK and EPA, with normal and points; seconds a query.
                pub(crate) fn depth(&self) -> (f64, Vec<f64>) {
                    self.ask_all(depth)
                }

                /// 1 for contact; seconds a query.
                pub(crate) fn verdict(&self) -> (f64, Vec<f64>) {
                    self.ask_all(verdict)
                }

                /// Distance, or minus the depth.
                #[allow(dead_code, reason = "queries are chosen with one of the two crates")]
                pub(crate) fn gap(&self, query: &Query) -> f64 {
                    let query = prepared(query);
                    let distance = self.ask(&query, &mut distance);
                    if distance > 0.0 { distance } else { -self.ask(&query, &mut depth) }
                }
            }

            enum Pair<'a> {
                Boxes(&'a Cuboid, &'a Cuboid),
                Ellipsoids(&'a Ellipsoid, &'a Ellipsoid),
                Hulls(&'a ConvexPolyhedron, &'a ConvexPolyhedron),
            }

            fn distance(place: &Pose, pair: Pair<'_>) -> f64 {
                f64::from(match pair {
                    Pair::Boxes(a, b) => details::distance_support_map_support_map(place, a, b),
                    Pair::Ellipsoids(a, b) => details::distance_support_map_support_map(place, a, b),
                    Pair::Hulls(a, b) => details::distance_support_map_support_map(place, a, b),
                })
            }

            fn depth(place: &Pose, pair: Pair<'_>) -> f64 {
                let contact = match pair {
                    Pair::Boxes(a, b) => details::contact_support_map_support_map(place, a, b, 0.0),
                    Pair::Ellipsoids(a, b) => details::contact_support_map_support_map(place, a, b, 0.0),
                    Pair::Hulls(a, b) => details::contact_support_map_support_map(place, a, b, 0.0),
                };
                contact.map_or(0.0, |contact| -f64::from(contact.dist))
            }

            fn verdict(place: &Pose, pair: Pair<'_>) -> f64 {
                f64::from(u8::from(match pair {
                    Pair::Boxes(a, b) => details::intersection_test_cuboid_cuboid(place, a, b),
                    Pair::Ellipsoids(a, b) => details::intersection_test_support_map_support_map(place, a, b),
                    Pair::Hulls(a, b) => details::intersection_test_support_map_support_map(place, a, b),
                }))
            }
        }
    };
}

parry_bodies!(single, parry3d, f32);
parry_bodies!(double, parry3d_f64, f64);
