//! The questions, one file each.

mod aabb_overlap;
mod broad_cubes;
mod broad_ways;
mod build;
mod ccd_cloth;
mod ccd_corpus;
mod ccd_filter;
mod check_assembly;
mod convex_agreement;
mod convex_depth;
mod convex_distance;
mod convex_distinct;
mod convex_exact;
mod convex_kinds;
mod convex_scene;
mod convex_verdict;
mod curved_balls;
mod curved_disputes;
mod curved_distance;
mod curved_made;
mod curved_read;
mod curved_scene;
mod curved_volume;
mod exact_box;
mod hausdorff;
mod laboratory;
mod load;
mod mesh_contact;
mod mesh_distance;
mod mesh_pairs;
mod mesh_scene;
mod mesh_shape;
mod moving_boxes;
mod moving_meshes;
mod moving_misses;
mod moving_scene;
mod obb_overlap;
mod overlap;
mod pile_gas;
mod pile_growth;
mod pile_step;
mod readers;
mod small_box;
mod smallest_sphere;
mod soft_falls;
mod soft_large;
mod world_step;

use crate::bench::Question;

/// All questions about bounding volumes and files, in the order of the report.
pub(crate) const BOUNDS: [Question; 8] = [
    ("sphere", smallest_sphere::ask),
    ("box", small_box::ask),
    ("exact", exact_box::ask),
    ("obb", obb_overlap::ask),
    ("aabb", aabb_overlap::ask),
    ("read", readers::ask),
    ("kinds", laboratory::ask_kinds),
    ("forms", laboratory::ask_forms),
];

/// All questions about two meshes at many poses.
pub(crate) const MESH: [Question; 5] = [
    ("contact", mesh_contact::ask),
    ("pairs", mesh_pairs::ask),
    ("distance", mesh_distance::ask),
    ("shape-contact", mesh_shape::contact),
    ("shape-distance", mesh_shape::distance),
];

/// All questions about building and loading hierarchies.
pub(crate) const BUILD: [Question; 3] =
    [("build", build::ask), ("load", load::ask), ("hausdorff", hausdorff::ask)];

/// All questions about pairs of convex bodies.
pub(crate) const CONVEX: [Question; 6] = [
    ("distance", convex_distance::ask),
    ("depth", convex_depth::ask),
    ("verdict", convex_verdict::ask),
    ("distinct", convex_distinct::ask),
    ("exact", convex_exact::ask),
    ("agreement", convex_agreement::ask),
];

/// All questions about moving vertex–face and edge–edge pairs and deforming meshes.
pub(crate) const CCD: [Question; 3] =
    [("corpus", ccd_corpus::ask), ("filter", ccd_filter::ask), ("cloth", ccd_cloth::ask)];

/// All questions about two moving bodies.
pub(crate) const MOVING: [Question; 3] =
    [("boxes", moving_boxes::ask), ("meshes", moving_meshes::ask), ("misses", moving_misses::ask)];

/// All questions about bodies with curved faces; the last tells of what the others found.
pub(crate) const CURVED: [Question; 8] = [
    ("read", curved_read::ask),
    ("made", curved_made::ask),
    ("distance", curved_distance::named),
    ("unseen", curved_distance::unseen),
    ("pairs", curved_distance::pairs),
    ("balls", curved_balls::ask),
    ("volume", curved_volume::ask),
    ("disputes", curved_disputes::ask),
];

/// All questions about many moving boxes.
pub(crate) const BROAD: [Question; 3] =
    [("cubes", broad_cubes::ask), ("mixes", broad_ways::mixes), ("movers", broad_ways::movers)];

/// All questions about worlds of many bodies.
pub(crate) const WORLD: [Question; 1] = [("step", world_step::ask)];

/// All questions about piles and gases of rigid bodies.
pub(crate) const PILES: [Question; 3] =
    [("pile", pile_step::ask), ("growth", pile_growth::ask), ("gas", pile_gas::ask)];

/// All questions about bodies that deform.
pub(crate) const SOFT: [Question; 2] = [("falls", soft_falls::ask), ("large", soft_large::ask)];

/// All questions about whole assemblies.
pub(crate) const CHECK: [Question; 1] = [("assembly", check_assembly::ask)];
