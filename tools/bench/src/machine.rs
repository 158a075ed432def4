//! What the numbers were measured on.

use crate::clock;
use serde::Serialize;
use std::hint::black_box;

/// The machine, the compilers' target and the day.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    /// Model name of the processor.
    pub(crate) processor: String,
    /// Logical cores.
    pub(crate) cores: usize,
    /// Clock during the run, estimated.
    pub(crate) gigahertz: f64,
    /// Instruction sets that matter here.
    pub(crate) features: Vec<&'static str>,
    /// How many processes ran or wanted to, on average of the minute before; this one ran on one core.
    pub(crate) load: f64,
    /// Operating system's kernel release.
    pub(crate) kernel: String,
    /// UTC, `YYYY-MM-DD hh:mm`.
    pub(crate) date: String,
    /// The command that was run.
    pub(crate) command: String,
}

impl Machine {
    /// Asks the operating system.
    pub(crate) fn describe() -> Self {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = info
            .lines()
            .find_map(|line| line.strip_prefix("model name").and_then(|rest| rest.split_once(':')))
            .map_or_else(|| "unknown".to_owned(), |(_, name)| name.trim().to_owned());
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            processor,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            gigahertz: estimate_gigahertz(),
            features: features(),
            load: load(),
            kernel: kernel.trim().to_owned(),
            date: utc(clock::unix_seconds()),
            command: command(std::env::args().skip(1)),
        }
    }
}

fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(f64::NAN)
}

/// The command as typed, without `--json FILE`: the file is a matter of the machine.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["cargo xtask bench".to_owned()];
    let mut arguments = arguments;
    while let Some(word) = arguments.next() {
        if word == "--json" {
            let _file = arguments.next();
        } else {
            words.push(word);
        }
    }
    words.join(" ")
}

/// Clock rate from a chain of dependent steps of four cycles: a 64-bit multiplication (three on every x86-64 core since
/// 2008) and an exclusive or with the sign, which keeps the compiler from taking a power instead.
pub(crate) fn estimate_gigahertz() -> f64 {
    const CHAIN: u64 = 2_000_000;
    let fastest = (0..20)
        .map(|_| {
            let (seconds, last) = clock::timed(|| {
                let factor = black_box(0x9e37_79b9_7f4a_7c15_u64);
                (0..CHAIN).fold(black_box(1_u64), |x, _| x.wrapping_mul(factor) ^ x >> 63)
            });
            black_box(last);
            seconds
        })
        .fold(f64::INFINITY, f64::min);
    4.0 * CHAIN as f64 / fastest * 1e-9
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let mut found = Vec::new();
    if std::arch::is_x86_feature_detected!("avx2") {
        found.push("AVX2");
    }
    if std::arch::is_x86_feature_detected!("fma") {
        found.push("FMA");
    }
    if std::arch::is_x86_feature_detected!("avx512f") {
        found.push("AVX-512");
    }
    found
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

/// Calendar date and time of a Unix time (days-to-civil by H. Hinnant's era arithmetic).
fn utc(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let minutes = seconds % 86_400 / 60;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::{command, utc};

    #[test]
    fn the_command_names_no_file() {
        let typed = ["bounds", "box", "--json", "/some/where.json", "--quick"].map(str::to_owned);
        assert_eq!(command(typed.into_iter()), "cargo xtask bench bounds box --quick");
    }

    #[test]
    fn dates_are_calendar_dates() {
        assert_eq!(utc(0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00");
        assert_eq!(utc(1_794_700_800), "2026-11-15 00:00");
    }
}
