//! How a page was made: by which command, on which machine, and with how much weight.

/// The theses that studies repeat; keys of `docs/references.bib`.
pub(super) const ECKSTEIN: &str = "Jens Eckstein, *Echtzeitfähige Kollisionserkennung für Virtual Reality Anwendungen*, dissertation, Universität des Saarlandes 1998 (`eckstein1998`)";
pub(super) const LEEMANN: &str = "Tobias Leemann, *Effiziente Kollisionserkennung für konvexe Körper in parallelen Simulationen*, bachelor's thesis, Universität Erlangen-Nürnberg 2017 (`leemann2017`)";
pub(super) const KNOBLAUCH: &str = "Daniel Knoblauch, *Continuous Deformable Collision Detection*, term paper, ETH Zürich 2005 (`knoblauch2005`)";

/// The paragraph at the end of a page.
pub(super) fn words(name: &str, quick: bool, seconds: f64) -> String {
    let (option, weight) = if quick {
        (
            " --quick",
            " With `--quick` bodies are small and steps few: the numbers show the form of the study and carry no weight.",
        )
    } else {
        ("", "")
    };
    let weight = if cfg!(debug_assertions) {
        format!(
            "{weight} It was a development build, hardly optimised: times of a release build are several times shorter, and so may be their ratios."
        )
    } else {
        weight.to_owned()
    };
    format!(
        "## How this page was made\n\nBy `kontakt study {name}{option} -o docs/studies` in one run on {}, {seconds:.1} s of the main thread's processor \
         time; every number comes from that run but those said to be a thesis's.{weight} Times depend on the machine and on what else it did; verdicts, \
         counts and errors do not.",
        machine()
    )
}

/// The processor's own name where the system tells it.
fn machine() -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    let name = name.map_or_else(
        || format!("a machine of the kind {}", std::env::consts::ARCH),
        |name| format!("a machine with {name}"),
    );
    format!("{name}, {threads} threads")
}
