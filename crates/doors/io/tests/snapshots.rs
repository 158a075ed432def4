//! States for viewers: what is written, and what is refused.

use kontakt_io::{
    Cells, Encoding, Field, Series, Snapshot, Values, VtuOptions, WriteError, write_pvtu, write_vtu,
};
use kontakt_math::DVec3;
use kontakt_schedule::Deadline;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kontakt-snapshots-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const POINTS: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];

#[test]
fn text_says_what_it_holds() {
    let folder = folder("text");
    let path = folder.join("a.vtu");
    let snapshot = Snapshot {
        points: &POINTS,
        cells: &[Cells::Triangles(&[[0, 2, 1]]), Cells::Tetrahedra(&[[0, 1, 2, 3]])],
        point_data: &[Field { name: "a<b\"&\n", values: Values::Vectors(&POINTS) }],
        cell_data: &[Field { name: "body", values: Values::Ids(&[7, 8]) }],
    };
    let options = VtuOptions { encoding: Encoding::Text, ..VtuOptions::default() };
    write_vtu(&path, &snapshot, &options).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    for part in [
        "NumberOfPoints=\"4\" NumberOfCells=\"2\"",
        "0 2 1 0 1 2 3\n",
        "3 7\n",
        "5 10\n",
        "Name=\"a&lt;b&quot;&amp; \"",
        "7 8\n",
        "0.0 0.0 1.0\n</DataArray>",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn wrong_counts_and_indices_are_named() {
    let path = std::env::temp_dir().join("kontakt-never-written.vtu");
    let written = |snapshot: Snapshot<'_>| write_vtu(&path, &snapshot, &VtuOptions::default()).unwrap_err();
    let cells = [Cells::Points, Cells::Tetrahedra(&[[0, 1, 2, 4]])];
    let wrong = written(Snapshot { points: &POINTS, cells: &cells, ..Snapshot::default() });
    assert!(matches!(wrong, WriteError::BadIndex { cell: 4, index: 4, points: 4 }), "{wrong}");
    let fields = [Field { name: "v", values: Values::Scalars(&[1.0]) }];
    let wrong = written(Snapshot { points: &POINTS, point_data: &fields, ..Snapshot::default() });
    assert_eq!(wrong.to_string(), "field \"v\" has 1 values for 4 points");
    let wrong = written(Snapshot { points: &POINTS, cell_data: &fields, ..Snapshot::default() });
    assert_eq!(wrong.to_string(), "field \"v\" has 1 values for 0 cells");
    assert!(!path.exists());
}

#[test]
fn a_series_names_its_states_and_goes_on() {
    let folder = folder("series");
    let snapshot = Snapshot { points: &POINTS, cells: &[Cells::Points], ..Snapshot::default() };
    let mut series = Series::new(&folder, "run", VtuOptions::default()).unwrap();
    series.push(0.0, &snapshot).unwrap();
    assert_eq!(series.push(0.1, &snapshot).unwrap(), folder.join("run_000001.vtu"));
    let mut resumed = Series::resumed(&folder, "run", VtuOptions::default(), &[0.0, 0.1]).unwrap();
    resumed.push(0.2, &snapshot).unwrap();
    let list = std::fs::read_to_string(resumed.list()).unwrap();
    assert_eq!(list.matches("<DataSet ").count(), 3);
    assert!(list.contains("<DataSet timestep=\"0.2\" part=\"0\" file=\"run_000002.vtu\"/>"), "{list}");
    let pieces = [Path::new("run_000000.vtu"), Path::new("run_000001.vtu")];
    write_pvtu(&folder.join("all.pvtu"), &pieces, &snapshot, Deadline::NEVER).unwrap();
    let all = std::fs::read_to_string(folder.join("all.pvtu")).unwrap();
    assert_eq!(all.matches("<Piece Source=").count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}
