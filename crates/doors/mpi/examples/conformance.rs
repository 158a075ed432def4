//! `mpirun -n 4 conformance [silent]`: does this machine's MPI do what a `Comm` must? With `silent` the last rank does nothing: the others must say so.

use kontakt_distributed::{Comm, ThreadComm, conformance};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let comm = match kontakt_mpi::connect() {
        Ok(Some(comm)) => comm,
        Ok(None) => {
            println!("no mpirun: one rank");
            Box::new(ThreadComm::group(1).remove(0))
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    if std::env::args().nth(1).as_deref() == Some("silent") {
        return silent(comm.as_ref());
    }
    match conformance::check(comm.as_ref(), 1, 10) {
        Ok(sum) => {
            if comm.rank() == 0 {
                println!("{} ranks conform: {sum:016x}", comm.size());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn silent(comm: &dyn Comm) -> ExitCode {
    if comm.rank() + 1 == comm.size() {
        std::thread::sleep(Duration::from_secs(60));
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let outcome = comm.barrier();
    println!("after {:.1} s: {outcome:?}", start.elapsed().as_secs_f64());
    ExitCode::FAILURE
}
