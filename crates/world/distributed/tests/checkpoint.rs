//! Runs that are ended anywhere and go on from their checkpoints, against the run that nobody disturbed.

mod balls;

use balls::{Ball, Part, hash};
use kontakt_distributed::{
    Alone, CheckpointError, Checkpoints, Comm, CommError, Damage, MemoryStore, Record, Store, StoreError,
    ThreadComm,
};
use std::sync::atomic::{AtomicU64, Ordering};

const SCENARIO: u64 = 0xba11;
const STEPS: u64 = 40;
const EVERY: u64 = 10;

/// Goes on from the last checkpoint, if there is one, to the end; gives the hash there and the step it began with.
fn run(comm: &dyn Comm, store: &dyn Store, balls: &[Ball]) -> Result<(u64, u64), CheckpointError> {
    let checkpoints = Checkpoints::new(store, SCENARIO);
    let (step, balls) = match checkpoints.resume(comm)? {
        Some(resumed) => {
            assert_eq!(resumed.shared, resumed.step.to_le_bytes());
            (resumed.step, resumed.records.iter().map(Ball::read).collect())
        }
        None if comm.rank() == 0 => (0, balls.to_vec()),
        None => (0, Vec::new()),
    };
    let mut part = Part::new(comm, balls, step);
    while part.step < STEPS {
        part.advance(comm)?;
        if part.step.is_multiple_of(EVERY) {
            let records: Vec<Record> = part.own.iter().map(Ball::record).collect();
            checkpoints.save(comm, part.step, &part.step.to_le_bytes(), &records)?;
        }
    }
    Ok((hash(comm, &part.own)?, step))
}

fn runs(ranks: usize, store: &dyn Store, balls: &[Ball]) -> Vec<Result<(u64, u64), CheckpointError>> {
    let ends = ThreadComm::run(ranks, |comm| run(comm, store, balls));
    ends.into_iter().map(|end| end.unwrap_or_else(|gone| Err(gone.into()))).collect()
}

fn some_balls() -> Vec<Ball> {
    Ball::some(&mut fastrand::Rng::with_seed(11), 60)
}

/// A store whose process dies at a certain call: that one does nothing or, of a write, leaves half of the bytes under a name of
/// their own; every later one, of any rank, fails.
struct Dying<'a> {
    store: &'a MemoryStore,
    calls: AtomicU64,
    last: u64,
}

impl Dying<'_> {
    fn dies(&self) -> Result<(), StoreError> {
        let dead = self.calls.fetch_add(1, Ordering::SeqCst) >= self.last;
        let error = StoreError { path: "?".into(), what: "reached", why: "killed".into(), missing: false };
        if dead { Err(error) } else { Ok(()) }
    }
}

impl Store for Dying<'_> {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.dies().inspect_err(|_| {
            let _ = self.store.put(&format!("{name}.tmp"), &bytes[..bytes.len() / 2]);
        })?;
        self.store.put(name, bytes)
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        self.store.get(name)
    }

    fn folders(&self) -> Result<Vec<String>, StoreError> {
        self.store.folders()
    }

    fn has(&self, name: &str) -> bool {
        self.store.has(name)
    }

    fn remove(&self, name: &str) -> Result<(), StoreError> {
        self.dies()?;
        self.store.remove(name)
    }
}

#[test]
fn wherever_a_run_dies_any_number_of_ranks_ends_with_the_same_state() {
    let balls = some_balls();
    let meant = run(&Alone, &MemoryStore::default(), &balls).unwrap().0;
    let (mut resumed, mut died) = (0, 0);
    for last in 0..48 {
        let store = MemoryStore::default();
        let ranks = 1 + last as usize % 3;
        let dying = Dying { store: &store, calls: AtomicU64::new(0), last };
        died += u32::from(runs(ranks, &dying, &balls).iter().all(Result::is_err));
        for end in runs(1 + (last as usize / 3) % 4, &store, &balls) {
            let (hash, from) = end.unwrap();
            assert_eq!(hash, meant, "died at call {last}, resumed at {from}");
            resumed += u32::from(from > 0);
        }
    }
    assert!(resumed > 60 && died > 20, "generator drifted: {resumed} {died}");
}

#[test]
fn a_rank_that_panics_ends_the_others_and_nothing_is_lost() {
    let balls = some_balls();
    let store = MemoryStore::default();
    let meant = run(&Alone, &MemoryStore::default(), &balls).unwrap().0;
    let ends = ThreadComm::run(3, |comm| {
        let checkpoints = Checkpoints::new(&store, SCENARIO);
        let mut part = Part::new(comm, if comm.rank() == 0 { balls.clone() } else { Vec::new() }, 0);
        for _ in 0..EVERY {
            part.advance(comm)?;
        }
        let records: Vec<Record> = part.own.iter().map(Ball::record).collect();
        checkpoints.save(comm, EVERY, &EVERY.to_le_bytes(), &records)?;
        // Not a panic, whose message would look like a failure of this test.
        if comm.rank() == 1 {
            Ok::<(), CheckpointError>(())
        } else {
            checkpoints.save(comm, 2 * EVERY, &[], &records)
        }
    });
    let ends: Vec<_> = ends.into_iter().map(Result::unwrap).collect();
    assert_eq!(ends[1], Ok(()));
    for rank in [0, 2] {
        assert_eq!(ends[rank], Err(CheckpointError::Comm(CommError::Gone { rank, gone: 1 })));
    }
    assert_eq!(runs(2, &store, &balls)[0], Ok((meant, EVERY)));
}

/// Two whole checkpoints of two parts each.
fn two() -> MemoryStore {
    let store = MemoryStore::default();
    ThreadComm::run(2, |comm| {
        for step in [1, 2, 3] {
            let own = [Record { id: comm.rank() as u64, bytes: vec![step as u8; 100] }];
            Checkpoints::new(&store, SCENARIO).save(comm, step, b"time", &own).unwrap();
        }
    });
    store
}

#[test]
fn two_are_kept_and_later_ones_of_an_abandoned_run_are_not() {
    let store = two();
    assert_eq!(store.folders().unwrap(), ["step-000000000002", "step-000000000003"]);
    Checkpoints::new(&store, SCENARIO).save(&Alone, 1, b"", &[]).unwrap();
    assert_eq!(store.folders().unwrap(), ["step-000000000001"]);
    assert_eq!(Checkpoints::new(&store, SCENARIO).resume(&Alone).unwrap().unwrap().step, 1);
}

/// What happens to the bytes of a file.
type Spoil = fn(&mut Vec<u8>);

#[test]
fn damaged_files_are_named_and_the_checkpoint_before_serves() {
    let newest = "step-000000000003";
    let spoils: [(&str, Spoil, &str); 5] = [
        ("part-1", |bytes| bytes.truncate(50), "part-1: it has 50 bytes instead of 116"),
        ("part-0", |bytes| bytes[60] ^= 1, "part-0: its checksum is"),
        ("part-1", |bytes| bytes.extend([0; 5]), "part-1: it has 121 bytes"),
        ("shared", |bytes| bytes[0] = b'T', "shared: its checksum is"),
        ("manifest", |bytes| bytes[30] ^= 1, "manifest: its checksum is"),
    ];
    for (file, spoil, said) in spoils {
        let store = two();
        spoil(store.files().get_mut(&format!("{newest}/{file}")).unwrap());
        for resumed in ThreadComm::run(3, |comm| Checkpoints::new(&store, SCENARIO).resume(comm)) {
            let resumed = resumed.unwrap().unwrap().unwrap();
            assert_eq!((resumed.step, resumed.shared.as_slice()), (2, b"time".as_slice()));
            assert!(resumed.passed_over.len() == 1 && resumed.passed_over[0].contains(said), "{resumed:?}");
        }
    }
    let store = two();
    store.remove(&format!("{newest}/part-1")).unwrap();
    let resumed = Checkpoints::new(&store, SCENARIO).resume(&Alone).unwrap().unwrap();
    assert!(resumed.step == 2 && resumed.passed_over[0].contains("part-1: cannot be read"), "{resumed:?}");
    assert_eq!(resumed.records.len(), 2);
    store.files().retain(|name, _| !name.ends_with("part-0"));
    let none = Checkpoints::new(&store, SCENARIO).resume(&Alone).unwrap_err();
    assert!(matches!(&none, CheckpointError::NoneWhole(why) if why.len() == 2), "{none}");
}

#[test]
fn states_of_something_else_are_refused() {
    let store = two();
    let other = Checkpoints::new(&store, 5).resume(&Alone).unwrap_err();
    assert!(matches!(other, CheckpointError::OtherScenario { found: SCENARIO, meant: 5, .. }), "{other}");
    // Right checksums, but no records: what was written was not ours.
    let checkpoints = Checkpoints::new(&store, SCENARIO);
    checkpoints.save(&Alone, 9, b"", &[Record { id: 1, bytes: vec![] }]).unwrap();
    let file = "step-000000000009/manifest";
    let text = String::from_utf8(store.get(file).unwrap()).unwrap();
    let bytes = vec![7; 16];
    store.put("step-000000000009/part-0", &bytes).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines[5] = format!("part 16 {:08x} 1", crc32fast::hash(&bytes));
    let body = lines[..6].join("\n") + "\n";
    let spoilt = format!("{body}checksum {:08x}\n", crc32fast::hash(body.as_bytes()));
    store.put(file, spoilt.as_bytes()).unwrap();
    let resumed = checkpoints.resume(&Alone).unwrap().unwrap();
    assert!(resumed.passed_over[0].contains(&Damage::Record(0).to_string()), "{:?}", resumed.passed_over);
}

#[test]
fn a_full_disk_is_told_to_all_ranks_and_the_checkpoints_before_stay() {
    let store = MemoryStore::with_room(2500);
    let ends = ThreadComm::run(2, |comm| {
        let checkpoints = Checkpoints::new(&store, SCENARIO);
        let own = |bytes: usize| [Record { id: comm.rank() as u64, bytes: vec![1; bytes] }];
        checkpoints.save(comm, 1, b"", &own(300)).unwrap();
        // Rank 1's part does not fit any more.
        let error = checkpoints.save(comm, 2, b"", &own(300 + 1500 * comm.rank())).unwrap_err();
        (error, checkpoints.resume(comm).unwrap().unwrap().step)
    });
    let ends: Vec<_> = ends.into_iter().map(Result::unwrap).collect();
    let full = "step-000000000002/part-1: cannot be written: no space left on device";
    assert_eq!((ends[0].0.to_string(), ends[0].1), (format!("rank 1: {full}"), 1));
    assert_eq!((ends[1].0.to_string(), ends[1].1), (full.to_owned(), 1));
    assert_eq!(store.folders().unwrap(), ["step-000000000001"]);
}

#[test]
fn nothing_to_resume_and_nothing_to_save_are_no_errors() {
    let store = MemoryStore::default();
    let checkpoints = Checkpoints::new(&store, SCENARIO);
    assert_eq!(checkpoints.resume(&Alone), Ok(None));
    ThreadComm::run(5, |comm| checkpoints.save(comm, 0, b"", &[]).unwrap());
    let resumed = checkpoints.resume(&Alone).unwrap().unwrap();
    assert_eq!((resumed.step, resumed.records.len()), (0, 0));
}
