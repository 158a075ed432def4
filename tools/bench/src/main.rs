//! `cargo xtask bench`: kontakt and what a user would take otherwise, measured in one run on one machine.
//!
//! Questions are in `questions/`, kontakt's side of them in `product/`, drivers of peers in `../peers`, data in
//! `data/`, proofs that answers are right in `check/`. Not part of the product: it links peers under other licences.

mod arguments;
mod bench;
mod builders;
mod check;
mod clock;
mod contest;
mod data;
mod machine;
mod memory;
mod occt;
mod parry;
mod parry_broad;
mod parry_convex;
mod parry_moving;
mod parry_world;
mod peer;
mod peers;
mod product;
mod questions;
mod rapier;
mod rapier_soft;
mod report;
mod suite;

use arguments::Arguments;
use bench::Bench;
use data::files::Scratch;
use report::Report;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.as_slice() {
        [first, file] if first == memory::CHILD => memory::report(Path::new(file)),
        _ => Arguments::parse(&words).and_then(|arguments| {
            if let Some(arguments) = arguments {
                // One thread for everybody; what is asked of several has a pool of its own.
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
                pool.build_global().map_err(|problem| problem.to_string())?;
                return run(&arguments);
            }
            print!("{}", arguments::HELP);
            Ok(())
        }),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bench: {reason}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let machine = machine::Machine::describe();
    println!(
        "{}, {} cores, about {:.1} GHz, {}",
        machine.processor,
        machine.cores,
        machine.gigahertz,
        machine.features.join(", ")
    );
    println!("starting peers (drivers in C++ are compiled once, which takes a minute)");
    let peers = peers::Peers::start(arguments.suite);
    let (present, absent) = peers.describe(arguments.suite);
    for peer in present.iter().chain(&absent) {
        println!("peer: {peer}");
    }
    let mut bench = Bench {
        peers,
        scratch: Scratch::new()?,
        cases: arguments.cases.clone(),
        quick: arguments.quick,
        seed: arguments.seed,
        pairs: arguments.pairs,
        peers_only: arguments.peers_only,
        skipped: absent,
        shelf: data::curved::Shelf::default(),
        smallest_volume: std::collections::HashMap::new(),
    };
    let mut tables = Vec::new();
    for (key, ask) in arguments.suite.questions() {
        if arguments.wants(key) {
            let table = ask(&mut bench);
            print!("{}", table.text());
            tables.push(table);
        }
    }
    let report =
        Report { suite: arguments.suite.name(), machine, peers: present, skipped: bench.skipped, tables };
    for skipped in &report.skipped {
        println!("left out: {skipped}");
    }
    if let Some(file) = &arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|problem| problem.to_string())?;
        write(file, &(text + "\n"))?;
    }
    if arguments.write {
        write(&arguments.suite.document(), &report.markdown())?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|problem| format!("{}: {problem}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
