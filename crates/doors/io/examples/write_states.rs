//! Writes a bear in every encoding, and as a series, for outside programs to read: `cargo run --example write_states FOLDER`.

use kontakt_io::{Cells, Encoding, Field, Series, Snapshot, Values, VtuOptions, write_vtu};
use kontakt_io::{MshOptions, MshVersion, WriteOptions, write_msh, write_vtk};
use kontakt_math::DVec3;
use kontakt_shapes::tetrahedra::bear;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    std::fs::create_dir_all(&folder)?;
    let bear = bear(0.22)?;
    let velocities: Vec<DVec3> = bear.vertices().iter().map(|p| p.cross(DVec3::Z)).collect();
    let ids: Vec<u32> = (0..bear.tetrahedra().len() as u32).collect();
    let snapshot = Snapshot {
        points: bear.vertices(),
        cells: &[Cells::Tetrahedra(bear.tetrahedra())],
        point_data: &[Field { name: "velocity", values: Values::Vectors(&velocities) }],
        cell_data: &[Field { name: "tetrahedron", values: Values::Ids(&ids) }],
    };
    for (name, encoding, compressed) in [
        ("text", Encoding::Text, false),
        ("base64", Encoding::Base64, false),
        ("base64-zlib", Encoding::Base64, true),
        ("appended", Encoding::Appended, false),
        ("appended-zlib", Encoding::Appended, true),
    ] {
        let options = VtuOptions { encoding, compressed, ..VtuOptions::default() };
        write_vtu(&folder.join(format!("bear-{name}.vtu")), &snapshot, &options)?;
    }
    for (name, text) in [("text", true), ("binary", false)] {
        let options = WriteOptions { text, ..WriteOptions::default() };
        write_vtk(&folder.join(format!("bear-{name}.vtk")), &snapshot, &options)?;
        for (version, number) in [(MshVersion::V2, 2), (MshVersion::V4, 4)] {
            let options = MshOptions { version, text, ..MshOptions::default() };
            write_msh(&folder.join(format!("bear-{name}-{number}.msh")), &snapshot, &options)?;
        }
    }
    let mut series = Series::new(&folder, "turning", VtuOptions::default())?;
    for step in 0..5 {
        series.push(f64::from(step) * 0.1, &snapshot)?;
    }
    Ok(())
}
