//! The kinds of random pairs that convex bodies are tried with.

use crate::bench::Bench;
use testkit::convex::pairs::{Family, Mode};

const KINDS: [(Family, Mode, &str); 10] = [
    (Family::Polytopal, Mode::Free, "polytopes with radii, random"),
    (Family::Polytopal, Mode::Grid, "polytopes with radii, small integers"),
    (Family::Polytopal, Mode::Thin, "polytopes with radii, thin 1 : 1e6"),
    (Family::Polytopal, Mode::Scales, "polytopes with radii, 1e-9 to 1e9"),
    (Family::Polytopal, Mode::Kiss, "polytopes with radii, touching up to rounding"),
    (Family::Round, Mode::Free, "round bodies, random"),
    (Family::Round, Mode::Grid, "round bodies, small integers"),
    (Family::Round, Mode::Thin, "round bodies, thin 1 : 1e6"),
    (Family::Round, Mode::Scales, "round bodies, 1e-9 to 1e9"),
    (Family::Round, Mode::Kiss, "round bodies, touching up to rounding"),
];

/// The kinds that are wanted and have a share, with their part of all pairs; `shares` are in a hundred, in the order of the
/// kinds: polytopes and round bodies, each random, of small integers, thin, of all sizes, touching.
pub(super) fn shared_out(
    bench: &Bench,
    pairs: u64,
    shares: [u64; 10],
) -> impl Iterator<Item = (Family, Mode, &'static str, u64)> {
    KINDS
        .into_iter()
        .zip(shares)
        .filter(|((.., name), share)| *share > 0 && bench.wants(name))
        .map(move |((family, mode, name), share)| (family, mode, name, pairs * share / 100))
}
