//! Checkpoints on a real disk.

use kontakt_distributed::{Alone, Checkpoints, Record, Store};
use kontakt_io::CheckpointFolder;

#[test]
fn a_checkpoint_comes_back_and_leftovers_of_a_killed_run_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let store = CheckpointFolder::new(folder.path().join("deep/checkpoints"));
    let checkpoints = Checkpoints::new(&store, 3);
    assert_eq!(checkpoints.resume(&Alone), Ok(None));
    let own = [Record { id: 5, bytes: vec![1; 1000] }];
    for step in [10, 20] {
        checkpoints.save(&Alone, step, b"x", &own).unwrap();
    }
    // Killed while it wrote step 30, and once while it removed step 5.
    store.put("step-000000000030/part-0", &[0; 9]).unwrap();
    store.put("step-000000000005/part-0.tmp", &[0; 9]).unwrap();
    std::fs::write(folder.path().join("deep/checkpoints/notes"), "mine").unwrap();
    let resumed = checkpoints.resume(&Alone).unwrap().unwrap();
    assert_eq!((resumed.step, resumed.records), (20, own.to_vec()));
    checkpoints.save(&Alone, 40, b"x", &own).unwrap();
    let mut names = store.folders().unwrap();
    names.sort();
    assert_eq!(names, ["notes", "step-000000000020", "step-000000000040"]);
    let mut files: Vec<_> = std::fs::read_dir(folder.path().join("deep/checkpoints/step-000000000040"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["manifest", "part-0", "shared"]);
}

#[test]
fn what_cannot_be_written_is_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("taken");
    std::fs::write(&root, "a file").unwrap();
    let store = CheckpointFolder::new(&root);
    let error = Checkpoints::new(&store, 3).save(&Alone, 1, b"", &[]).unwrap_err().to_string();
    assert!(error.contains("taken") && error.contains("cannot be"), "{error}");
    assert_eq!(std::fs::read(&root).unwrap(), b"a file");
}
