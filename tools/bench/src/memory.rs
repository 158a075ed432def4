//! How much memory reading a file takes, seen from a process that does nothing else.

use crate::product;
use std::path::Path;

/// First argument that makes this program read one file and report on its memory.
pub(crate) const CHILD: &str = "--memory-of-reading";

/// Reads the file and prints growth of the highest resident size and bytes of the result.
pub(crate) fn report(path: &Path) -> Result<(), String> {
    let before = highest_resident_bytes()?;
    let mesh = product::read::read_mesh(path)?;
    let after = highest_resident_bytes()?;
    println!("{} {}", after - before, mesh.bytes);
    Ok(())
}

/// `VmHWM` of this process.
pub(crate) fn highest_resident_bytes() -> Result<u64, String> {
    let status =
        std::fs::read_to_string("/proc/self/status").map_err(|problem| format!("/proc: {problem}"))?;
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in /proc/self/status")?;
    let kibibytes: u64 =
        line.split_whitespace().next().and_then(|word| word.parse().ok()).ok_or("VmHWM is no number")?;
    Ok(1024 * kibibytes)
}
