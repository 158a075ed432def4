//! Two bodies by approximate tests of corners against faces and edges against edges (VR 5.3, 5.4).

use super::candidates;
use super::features::{Kind, Places, inside};
use super::roots::Roots;
use kontakt_math::{DVec3, Pose};
use kontakt_mesh::{MeshQuery, PlacedMesh};
use kontakt_rigid_ccd::MovingMesh;

/// How a possible time is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsideTest {
    /// At the places of that time. (The thesis also asked two edges to meet to the last bit, which almost never happens.)
    Exact,
    /// By coordinates interpolated between the beginning and the end.
    Interpolated,
}

/// An approximate method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approximate {
    /// How possible times are found.
    pub roots: Roots,
    /// How they are checked.
    pub inside: InsideTest,
}

/// The earliest contact an approximate method finds; `None` where it finds none, **which proves nothing**.
pub fn dynamic(a: MovingMesh, b: MovingMesh, method: Approximate) -> Option<f64> {
    earliest(a, b, method, &candidates::pairs(a, b))
}

/// The mixed static and dynamic method: triangles that meet at the end of the motion are looked at over all of it; where the method
/// finds no time for them contact is reported at the end. `None` where nothing meets at the end: passing through is missed.
pub fn mixed(a: MovingMesh, b: MovingMesh, method: Approximate) -> Option<f64> {
    let placed = [a, b].map(|body| PlacedMesh::new(body.mesh, body.motion.pose_at(1.0)));
    let pairs: Vec<[u32; 2]> =
        MeshQuery::new().all_pairs(placed[0], placed[1]).iter().map(|pair| [pair.a, pair.b]).collect();
    if pairs.is_empty() {
        return None;
    }
    Some(earliest(a, b, method, &pairs).unwrap_or(1.0))
}

fn earliest(a: MovingMesh, b: MovingMesh, method: Approximate, pairs: &[[u32; 2]]) -> Option<f64> {
    let mut best: Option<f64> = None;
    for &[i, j] in pairs {
        let corners =
            [a.mesh.faces().triangle_points(i as usize), b.mesh.faces().triangle_points(j as usize)];
        if let Some(t) = of_triangles(a, b, corners, method)
            && best.is_none_or(|least| t < least)
        {
            best = Some(t);
        }
    }
    best
}

/// The earliest of the six tests of corners and faces and the nine of edges.
fn of_triangles(a: MovingMesh, b: MovingMesh, [p, q]: [[DVec3; 3]; 2], method: Approximate) -> Option<f64> {
    let mut best: Option<f64> = None;
    let mut take = |kind: Kind, from: [(DVec3, bool); 4]| {
        let places = |t: f64| -> Places {
            let poses: [Pose; 2] = [a.motion.pose_at(t), b.motion.pose_at(t)];
            from.map(|(x, of_b)| poses[usize::from(of_b)].apply(x))
        };
        if let Some(t) = first(kind, places, method)
            && best.is_none_or(|least| t < least)
        {
            best = Some(t);
        }
    };
    for k in 0..3 {
        take(Kind::CornerFace, [(p[k], false), (q[0], true), (q[1], true), (q[2], true)]);
        take(Kind::CornerFace, [(q[k], true), (p[0], false), (p[1], false), (p[2], false)]);
        for l in 0..3 {
            let (next_k, next_l) = ((k + 1) % 3, (l + 1) % 3);
            take(Kind::EdgeEdge, [(p[k], false), (p[next_k], false), (q[l], true), (q[next_l], true)]);
        }
    }
    best
}

/// The first possible time that passes the check.
fn first(kind: Kind, places: impl Fn(f64) -> Places, method: Approximate) -> Option<f64> {
    let times = method.roots.of(|t| kind.height(places(t)));
    times.into_iter().find(|&t| match method.inside {
        InsideTest::Exact => kind.coordinates(places(t)).is_some_and(inside),
        InsideTest::Interpolated => match (kind.coordinates(places(0.0)), kind.coordinates(places(1.0))) {
            (Some(x), Some(y)) => inside(std::array::from_fn(|i| x[i] + t * (y[i] - x[i]))),
            _ => kind.coordinates(places(t)).is_some_and(inside),
        },
    })
}
