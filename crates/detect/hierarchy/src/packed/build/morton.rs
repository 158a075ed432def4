//! Triangles in the order of a space-filling curve.

use crate::large_pages;
use crate::packed::parallel::{chunks, lock, run};
use crate::packed::vector::Vector;
use std::sync::Mutex;

/// Bits of a code: ten an axis.
const BITS: u32 = 30;
const DIGIT: u32 = 10;
/// Runs of equal codes longer than this are sorted again by finer codes.
pub(super) const COARSE_RUN: usize = 32;

/// A triangle's place on the curve, and its id: code << 32 | id.
type Entry = u64;

/// Ids of all triangles along the curve, each with its code. A total order of (code, id), so no thread matters.
pub(super) fn sorted(points: &[Vector], triangles: &[[u32; 3]], threads: usize) -> Vec<Entry> {
    let parts = chunks(triangles.len(), threads);
    let mut runs: Vec<Vec<Entry>> = run(threads, &parts, |part| {
        let codes = triangles[part.clone()].iter().zip(part.start as u64..);
        radix_sorted(codes.map(|(t, id)| u64::from(code(centre(points, t), 0)) << 32 | id).collect())
    });
    while runs.len() > 1 {
        let pairs: Vec<(Vec<Entry>, Vec<Entry>)> = {
            let mut pairs = Vec::new();
            let mut rest = runs.into_iter();
            while let Some(first) = rest.next() {
                pairs.push((first, rest.next().unwrap_or_default()));
            }
            pairs
        };
        runs = pairs.iter().map(|(a, b)| merged(a, b, threads)).collect();
    }
    let mut all = runs.pop().unwrap_or_default();
    refine(&mut all, points, triangles);
    all
}

/// Three times the centre of a triangle, within ±3.
#[inline(always)]
fn centre(points: &[Vector], triangle: &[u32; 3]) -> Vector {
    let [a, b, c] = triangle.map(|v| points[v as usize]);
    a + b + c
}

/// Ten bits of each coordinate, interleaved; `depth` 1 takes the ten bits after those of depth 0.
#[inline(always)]
fn code(centre: Vector, depth: u32) -> u32 {
    let cells = if depth == 0 { 1024.0 } else { 1024.0 * 1024.0 };
    let [x, y, z] = centre.xyz().map(|c| {
        let at = (c * (1.0 / 6.0) + 0.5) * cells;
        narrow(at).min(narrow(cells) - 1) & 1023
    });
    spread(x) << 2 | spread(y) << 1 | spread(z)
}

/// To an integer; the cast saturates at 0 and above.
#[expect(
    clippy::cast_sign_loss,
    reason = "coordinates within ±1 give none, and saturation is right for the rest"
)]
#[inline(always)]
fn narrow(x: f32) -> u32 {
    x as u32
}

/// Moves bit i to bit 3i.
#[inline(always)]
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

/// Sorted by code, then id; the ids come in order.
fn sorted_run(mut entries: Vec<Entry>) -> Vec<Entry> {
    if entries.len() > 4096 {
        return radix_sorted(entries);
    }
    entries.sort_unstable();
    entries
}

/// Sorted by code; stable, so ids stay in order.
fn radix_sorted(mut entries: Vec<Entry>) -> Vec<Entry> {
    const SIZE: usize = 1 << DIGIT;
    let mut counts = [[0_u32; SIZE]; (BITS / DIGIT) as usize];
    for &e in &entries {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(e, pass as u32)] += 1;
        }
    }
    let mut other = vec![0; entries.len()];
    for (pass, counts) in counts.iter_mut().enumerate() {
        let mut start = 0;
        for count in counts.iter_mut() {
            (*count, start) = (start, start + *count);
        }
        for &e in &entries {
            let place = &mut counts[digit(e, pass as u32)];
            other[*place as usize] = e;
            *place += 1;
        }
        std::mem::swap(&mut entries, &mut other);
    }
    entries
}

#[inline(always)]
fn digit(entry: Entry, pass: u32) -> usize {
    (entry >> (32 + DIGIT * pass)) as usize & ((1 << DIGIT) - 1)
}

/// Two sorted lists as one, in parts of equal length made side by side.
fn merged(a: &[Entry], b: &[Entry], threads: usize) -> Vec<Entry> {
    let total = a.len() + b.len();
    let cuts: Vec<(usize, usize)> = chunks(total, threads)
        .iter()
        .map(|part| cut_at(a, b, part.start))
        .chain([(a.len(), b.len())])
        .collect();
    // Zeros cost nothing until a page is touched, so that threads share that too.
    let mut all = vec![0; total];
    large_pages::advise(&mut all);
    let mut rest = all.as_mut_slice();
    let parts: Vec<_> = cuts
        .windows(2)
        .map(|w| {
            let (a, b) = (&a[w[0].0..w[1].0], &b[w[0].1..w[1].1]);
            let (place, after) = std::mem::take(&mut rest).split_at_mut(a.len() + b.len());
            rest = after;
            (a, b, Mutex::new(place))
        })
        .collect();
    run(threads, &parts, |(a, b, place)| merge(a, b, &mut lock(place)));
    drop(parts);
    all
}

/// How many of a and of b are among the first `count` of both.
fn cut_at(a: &[Entry], b: &[Entry], count: usize) -> (usize, usize) {
    let (mut low, mut high) = (count.saturating_sub(b.len()), count.min(a.len()));
    while low < high {
        let middle = usize::midpoint(low, high);
        if a[middle] < b[count - middle - 1] { low = middle + 1 } else { high = middle }
    }
    (low, count - low)
}

/// Into a place as long as both.
fn merge(a: &[Entry], b: &[Entry], out: &mut [Entry]) {
    let (mut i, mut j) = (0, 0);
    for place in out {
        let first = j == b.len() || i < a.len() && a[i] <= b[j];
        *place = if first { a[i] } else { b[j] };
        i += usize::from(first);
        j += usize::from(!first);
    }
}

/// Sorts long runs of one code by the next bits: crowded places of uneven meshes. What is crowded still is within 2⁻²⁰.
fn refine(all: &mut [Entry], points: &[Vector], triangles: &[[u32; 3]]) {
    let mut start = 0;
    while start < all.len() {
        let coarse = all[start] >> 32;
        let mut end = start + 1;
        while end < all.len() && all[end] >> 32 == coarse {
            end += 1;
        }
        if end - start > COARSE_RUN {
            let finer = all[start..end].iter().map(|&e| {
                let id = e & 0xffff_ffff;
                u64::from(code(centre(points, &triangles[id as usize]), 1)) << 32 | id
            });
            let finer = sorted_run(finer.collect());
            for (entry, fine) in all[start..end].iter_mut().zip(finer) {
                *entry = coarse << 32 | fine & 0xffff_ffff;
            }
        }
        start = end;
    }
}
