//! Piles nearly at rest: made once by kontakt, kept in the target directory, loaded by everybody alike.

use crate::product::pile;
use std::path::{Path, PathBuf};

/// What a pile is made of; diameter and edge are [`SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Balls.
    Sphere,
    /// Cubes.
    Cube,
}

/// Diameter and edge.
pub(crate) const SIZE: f64 = 1.2;
/// Acceleration downwards, friction of all pairs, time of a step; nothing bounces.
pub(crate) const GRAVITY: f64 = 10.0;
pub(crate) const FRICTION: f64 = 0.1;
pub(crate) const TIME_STEP: f64 = 5e-3;
/// Width of the box under a tile, and bodies in one.
const BASE: f64 = 12.0 * SIZE;
const TILE: usize = 3000;
/// Seconds that a tile falls, which cubes do for six of them, and settles.
const SETTLING: f64 = 16.0;

/// Bodies in an open box, at rest but for what they still settle.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    /// Of what.
    pub(crate) grain: Grain,
    /// Half widths of the box along x and y; its floor is at height 0.
    pub(crate) half: [f64; 2],
    /// Middles, and turns as quaternions x, y, z, w.
    pub(crate) places: Vec<[f64; 7]>,
}

impl Heap {
    /// Of 3000 bodies, or of a multiple that makes a rectangle of tiles of 3000: 10 or 100.
    pub(crate) fn new(grain: Grain, count: usize) -> Result<Heap, String> {
        let tile = tile(grain)?;
        let columns = ((count / TILE) as f64).sqrt() as usize;
        let columns =
            (1..=columns).rev().find(|columns| (count / TILE).is_multiple_of(*columns)).unwrap_or(1);
        let rows = (count / TILE).max(1) / columns;
        let half = [0.5 * BASE * columns as f64, 0.5 * BASE * rows as f64];
        let mut places = Vec::with_capacity(count);
        for (column, row) in (0..columns * rows).map(|k| (k % columns, k / columns)) {
            let shift = [(column as f64 + 0.5) * BASE - half[0], (row as f64 + 0.5) * BASE - half[1]];
            places.extend(
                tile.iter().map(|&[x, y, z, i, j, k, w]| [x + shift[0], y + shift[1], z, i, j, k, w]),
            );
        }
        Ok(Heap { grain, half, places })
    }
}

/// The tile, from its file if there is one.
fn tile(grain: Grain) -> Result<Vec<[f64; 7]>, String> {
    let file = kept(grain);
    if let Some(places) = std::fs::read(&file).ok().and_then(|bytes| decoded(&bytes)) {
        return Ok(places);
    }
    println!(
        "making a pile of {TILE} bodies that rests, which takes a minute; it is kept in {}",
        file.display()
    );
    let places = pile::settled(grain, TILE, BASE, SETTLING)?;
    let bytes: Vec<u8> = places.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, bytes))
        .map_err(|problem| format!("{}: {problem}", file.display()))?;
    Ok(places)
}

fn kept(grain: Grain) -> PathBuf {
    let name = if grain == Grain::Sphere { "spheres.f64" } else { "cubes.f64" };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-piles").join(name)
}

fn decoded(bytes: &[u8]) -> Option<Vec<[f64; 7]>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let (places, more) = numbers.as_chunks::<7>();
    let whole = rest.is_empty() && more.is_empty() && places.len() == TILE;
    whole.then(|| places.iter().map(|place| place.map(f64::from_le_bytes)).collect())
}
