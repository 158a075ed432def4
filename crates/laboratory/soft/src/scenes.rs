//! The thesis's scenes, and those a thousand times as large.

use kontakt_math::DVec3;
use kontakt_shapes::make::bumpy_ball;
use kontakt_shapes::tetrahedra::{bear, hollow_bear, slab, tetrahedron};
use kontakt_soft::{Body, Material};
use std::error::Error;

/// The stone's edge and the slab's thickness.
pub const EDGE: f64 = 0.1;
/// See above.
pub const THICK: f64 = 0.05;

/// A held slab of n × n cells, a tenth wide each, its rim pinned; z points up.
fn held_slab(n: u32) -> Result<Body, Box<dyn Error>> {
    let wide = 0.1 * f64::from(n);
    let body = Body::solid(&slab([n, n, 1], DVec3::new(wide, wide, THICK))?, Material::rubber())?;
    let rim = 0.5 * wide - 0.01;
    Ok(body.pinned(|p| p.x.abs() > rim || p.y.abs() > rim))
}

/// A tetrahedron that flies down at a held slab: 484 surface triangles. `high` above the slab's middle is its centroid, clear of it.
pub fn membrane(speed: f64, high: f64) -> Result<Vec<Body>, Box<dyn Error>> {
    let stone = Body::solid(&tetrahedron(EDGE)?, Material::rubber())?;
    let at = DVec3::new(0.013, 0.017, high.max(0.5 * (THICK + EDGE)));
    Ok(vec![held_slab(10)?, stone.moved(at).at_velocity(DVec3::Z * -speed)])
}

/// The same n/10 times as wide, with n²/400 tetrahedra that reach it within a few steps.
pub fn many_stones(n: u32) -> Result<Vec<Body>, Box<dyn Error>> {
    let mut bodies = vec![held_slab(n)?];
    let stone = Body::solid(&tetrahedron(EDGE)?, Material::rubber())?;
    let along = n / 20;
    for k in 0..along * along {
        let at = |i: u32| (f64::from(i) + 0.513) * 2.0 - 0.05 * f64::from(n);
        let high = 0.12 + 0.01 * f64::from(k % 7);
        let stone = stone.clone().moved(DVec3::new(at(k % along), at(k / along), high));
        bodies.push(stone.at_velocity(DVec3::Z * -5.0));
    }
    Ok(bodies)
}

/// Five teddy bears, one above the other, the lowest of which sits firmly. On a lattice of 0.22 they have some 600 surface triangles each.
pub fn bears(cell: f64, apart: f64) -> Result<Vec<Body>, Box<dyn Error>> {
    let teddy = Body::solid(&bear(cell)?, Material::rubber())?;
    let mut bears: Vec<Body> =
        (0..5).map(|i| teddy.clone().moved(DVec3::new(0.05, 0.03, apart) * f64::from(i))).collect();
    bears[0] = bears[0].clone().pinned(|p| p.z < -0.4);
    Ok(bears)
}

/// Five hollow bears with walls three cells thick, each faster than the one below, so that all soon meet. On a lattice of 0.0145 they have some 1.4 million
/// surface triangles.
pub fn hollow_bears(cell: f64) -> Result<Vec<Body>, Box<dyn Error>> {
    let teddy = Body::solid(&hollow_bear(cell, 3.0 * cell)?, Material::rubber())?;
    let mut bears: Vec<Body> = (0..5)
        .map(|i| {
            let bear = teddy.clone().moved(DVec3::new(0.05, 0.03, 2.02) * f64::from(i));
            bear.at_velocity(DVec3::Z * (-2.0 * f64::from(i)))
        })
        .collect();
    bears[0] = bears[0].clone().pinned(|p| p.z < -0.4);
    Ok(bears)
}

/// A cloth of 2·n² triangles, 4 wide, that comes down on a ball of radius 1.
pub fn draped(n: u32) -> Result<Vec<Body>, Box<dyn Error>> {
    let ball = bumpy_ball((n / 8).max(4), 0.0)?;
    let ball = Body::cloth(ball.vertices().to_vec(), ball.triangles().to_vec(), Material::cotton())?;
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let place = |k: u32| f64::from(k) / f64::from(n) * 4.0 - 2.0;
    let places = (0..=n).flat_map(|j| (0..=n).map(move |i| DVec3::new(place(i), place(j), 1.01)));
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    let cloth = Body::cloth(places.collect(), triangles.collect(), Material::cotton())?;
    Ok(vec![ball.pinned(|_| true), cloth])
}
