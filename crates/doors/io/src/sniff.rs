//! What a file looks like by its first bytes, for messages about files whose ending says something else. Never a reason to read a file
//! otherwise than its ending says.

use crate::Format;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How much of a file is looked at.
const SAMPLE: u64 = 4096;

/// What the content looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Like a format that is read.
    Like(Format),
    /// Like an archive.
    Archive,
}

impl Looks {
    /// What a file looks like, if it can be told.
    pub(crate) fn of(path: &Path) -> Option<Looks> {
        let file = File::open(path).ok()?;
        let size = file.metadata().ok()?.len();
        let mut start = Vec::new();
        file.take(SAMPLE).read_to_end(&mut start).ok()?;
        Looks::of_bytes(&start, size)
    }

    fn of_bytes(start: &[u8], size: u64) -> Option<Looks> {
        let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
        let says = |word: &[u8]| text.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word));
        let holds = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
        if says(b"ISO-10303") {
            return Some(Looks::Like(Format::Step));
        }
        if start.starts_with(b"PK\x03\x04") {
            return Some(Looks::Archive);
        }
        let binary_stl = start
            .get(80..84)
            .and_then(|count| count.try_into().ok())
            .is_some_and(|count| size == 84 + 50 * u64::from(u32::from_le_bytes(count)));
        let first_word = text.split(u8::is_ascii_whitespace).next().unwrap_or(b"");
        let format = if binary_stl || (says(b"solid") && holds(b"facet")) {
            Format::Stl
        } else if start.starts_with(b"glTF") || (says(b"{") && holds(b"\"asset\"")) {
            Format::Gltf
        } else if first_word == b"ply" {
            Format::Ply
        } else if first_word.len() <= 6 && first_word.ends_with(b"OFF") {
            Format::Off
        } else if start.starts_with(b"\x89KH\r\n") {
            Format::Kh
        } else if first_word == b"$MeshFormat" {
            Format::Msh
        } else if says(b"# vtk DataFile") {
            Format::Vtk
        } else if holds(b"<VTKFile") {
            Format::Vtu
        } else if is_sat(text) {
            Format::Sat
        } else if has_line(text, b"v ") && (has_line(text, b"f ") || has_line(text, b"vn ")) {
            Format::Obj
        } else {
            return None;
        };
        Some(Looks::Like(format))
    }
}

/// Whether the first line is that of ACIS, a version and three more numbers, and the next names the program.
fn is_sat(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    let numbers = |line: &[u8]| {
        let words = || line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words().count() == 4 && words().all(|word| word.iter().all(u8::is_ascii_digit))
    };
    let names = |line: &[u8]| line.windows(4).any(|word| word == b"ACIS");
    lines.next().is_some_and(numbers) && lines.next().is_some_and(names)
}

/// Whether a line begins so.
fn has_line(text: &[u8], word: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_start().starts_with(word))
}

/// The name of a CAD format that is not read, by the ending of the file.
pub(crate) fn cad_format(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match ending.as_str() {
        "iges" | "igs" => "IGES",
        "sab" => "ACIS in binary form",
        "x_t" | "x_b" | "xmt_txt" => "Parasolid",
        "sldprt" | "sldasm" => "SolidWorks",
        "catpart" | "catproduct" => "CATIA",
        "ipt" | "iam" => "Inventor",
        "prt" | "asm" | "jt" => "a CAD program's own format",
        "fcstd" => "FreeCAD",
        "3mf" | "amf" | "dae" | "fbx" | "blend" | "3ds" | "wrl" | "vrml" | "x3d" | "usd" | "usdz" => {
            "this mesh format"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_beginnings() {
        let looks = |bytes: &[u8]| Looks::of_bytes(bytes, bytes.len() as u64);
        let like = |format| Some(Looks::Like(format));
        assert_eq!(looks(b"solid x\n facet normal 0 0 1\n"), like(Format::Stl));
        let mut stl = vec![b' '; 84 + 50];
        stl[80..84].copy_from_slice(&1_u32.to_le_bytes());
        assert_eq!(looks(&stl), like(Format::Stl));
        assert_eq!(looks(b"# a comment\no x\nv 0 0 0\nv 1 0 0\nf 1 2 3\n"), like(Format::Obj));
        assert_eq!(looks(b"ply\nformat ascii 1.0\n"), like(Format::Ply));
        assert_eq!(looks(b"OFF\n3 1 0\n"), like(Format::Off));
        assert_eq!(looks(b"glTF\x02\0\0\0"), like(Format::Gltf));
        assert_eq!(looks(b" { \"asset\": {} }"), like(Format::Gltf));
        assert_eq!(looks(b"ISO-10303-21;\nHEADER;"), like(Format::Step));
        let sat = b"700 0 1 0 \n11 Some system 8 ACIS 7.0 24 Mon Jan 01 00:00:00 2002\n";
        assert_eq!(looks(sat), like(Format::Sat));
        assert_eq!(looks(b"$MeshFormat\n4.1 0 8\n"), like(Format::Msh));
        assert_eq!(looks(b"hello"), None);
        assert_eq!(looks(b""), None);
    }
}
