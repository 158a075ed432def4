//! What `--version` says: the release, the commit it was built from, and what this machine's processor adds.

use std::sync::LazyLock;

/// For `--version`; `-V` gives the release alone.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| {
    let (release, commit) = (env!("CARGO_PKG_VERSION"), env!("KONTAKT_COMMIT"));
    format!("{release}\ncommit     {commit}\nprocessor  {}, with {}", std::env::consts::ARCH, features())
});

/// The instruction sets found here that kontakt has code for; answers are the same with any.
#[cfg(target_arch = "x86_64")]
fn features() -> String {
    let sets = [("AVX2", is_x86_feature_detected!("avx2")), ("AVX-512", is_x86_feature_detected!("avx512f"))];
    let found: Vec<&str> = sets.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    if found.is_empty() { "neither AVX2 nor AVX-512".to_owned() } else { found.join(" and ") }
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> String {
    "no instruction set that kontakt has code for".to_owned()
}
