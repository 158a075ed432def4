//! The smallest box around points, by volume, surface or diameter, with a proof of how small it can be.
//!
//! **Theorem** (why [`BoxMethod::Exact`] gives the minimum). A box is its orientation R and its three widths, and for
//! given axes u the least widths are those of the convex hull, w(u) = max u·(p − q) over its vertices p, q. So the
//! least cost is min f(w₁(R), w₂(R), w₃(R)) over all rotations, f growing with each width. Rotations that differ by
//! one of the cube's 24 symmetries give the same box; the truncated cube of `search::all_orientations` holds one
//! of each class. It is covered by cells. For any vector s between two points of the hull, the width along a turned
//! axis is at least the projection of s, which over a cell is at least an affine function of the relative rotation
//! minus second-order terms (`cell.rs`); f of affine functions is least at a corner of the cell (`cost.rs`). A cell is
//! dropped only when this bound, with every rounding subtracted, is at least (1 − ε) times the best cost known, and
//! otherwise halved. When no cell is left, no box is smaller than (1 − ε) times the one found. By O'Rourke's theorem
//! (1985) the least volume has two adjacent faces flush with edges; the search does not need it, but it is why mixing
//! the vectors s of an edge's two ends makes the bounds exact to second order there.

mod calipers;
mod candidates;
mod cell;
mod cost;
mod dito;
mod landscape;
mod method;
mod nelder_mead;
mod powell;
mod principal;
mod search;
mod solve;
mod starts;
mod symmetry;

pub use method::{BoxCounts, BoxMethod, BoxRequest, NoGap, SmallestBox};
pub use solve::smallest_box;
