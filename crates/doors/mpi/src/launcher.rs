//! What started this process.

/// An `mpirun` as the environment shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The variable that gave it away, with its value.
    pub said: String,
    /// Which rank this process is, if it says so.
    pub rank: Option<usize>,
    /// How many ranks it started, if it says so.
    pub size: Option<usize>,
    /// Libraries that may belong to it, the likeliest first.
    pub libraries: Vec<String>,
}

const OPEN_MPI: [&str; 3] = ["libmpi.so.40", "libmpi.so.20", "libmpi.40.dylib"];
const MPICH: [&str; 4] = ["libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.12.dylib"];
const ANY: [&str; 2] = ["libmpi.so", "libmpi.dylib"];

impl Launcher {
    /// Reads the environment: Open MPI's own variables, those of MPICH's family (Hydra, Intel, MVAPICH, Slurm's PMI-2), then `PMIx`, which
    /// serves both. `KONTAKT_MPI` names the library. `None` for a process that nobody started as a rank.
    pub fn find(variable: impl Fn(&str) -> Option<String>) -> Option<Launcher> {
        let kinds: [(&str, &str, [&[&str]; 3]); 3] = [
            ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", [&OPEN_MPI, &ANY, &[]]),
            ("PMI_RANK", "PMI_SIZE", [&MPICH, &ANY, &[]]),
            ("PMIX_RANK", "SLURM_NTASKS", [&OPEN_MPI, &MPICH, &ANY]),
        ];
        let (rank, size, libraries) = kinds.into_iter().find(|kind| variable(kind.0).is_some())?;
        let number = variable(rank).unwrap_or_default();
        let said = format!("{rank}={number}");
        let libraries = match variable("KONTAKT_MPI") {
            Some(named) => vec![named],
            None => libraries.concat().into_iter().map(Into::into).collect(),
        };
        let rank = number.parse().ok();
        Some(Launcher { said, rank, size: variable(size).and_then(|text| text.parse().ok()), libraries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(environment: &[(&str, &str)]) -> Option<Launcher> {
        Launcher::find(|name| environment.iter().find(|one| one.0 == name).map(|one| one.1.into()))
    }

    #[test]
    fn environments_are_recognised() {
        assert_eq!(found(&[("PATH", "/bin"), ("SLURM_NTASKS", "4")]), None);
        let open = found(&[("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "4"), ("PMIX_RANK", "1")])
            .unwrap();
        assert_eq!((open.rank, open.size, open.libraries[0].as_str()), (Some(1), Some(4), "libmpi.so.40"));
        let mpich = found(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]).unwrap();
        assert_eq!((mpich.size, mpich.libraries[0].as_str()), (Some(2), "libmpich.so.12"));
        let named = found(&[("PMIX_RANK", "0"), ("KONTAKT_MPI", "/opt/libmpi.so")]).unwrap();
        assert_eq!((named.size, named.libraries), (None, vec!["/opt/libmpi.so".to_string()]));
    }
}
