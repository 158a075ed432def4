//! Gmsh's MSH, versions 2.2 and 4.1, as text or bytes of either order.

use crate::bytes::{self, Bytes};
use crate::elements::Elements;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed, room};
use kontakt_math::DVec3;
use kontakt_shapes::memory::reserve;

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    read(&bytes::all(input)?)?.parsed()
}

pub(crate) fn read(file: &[u8]) -> Result<Elements, Fault> {
    let mut bytes = Bytes::new(file);
    let mut msh: Option<Msh<'_>> = None;
    let mut sections = [false; 2];
    loop {
        let source = msh.as_mut().map_or(&mut bytes, |msh| &mut msh.bytes);
        let Some(line) = source.line() else { break };
        let (place, here) = (source.line_place(), *source);
        let Some(name) = line.strip_prefix(b"$").filter(|name| !name.is_empty()) else {
            if line.is_empty() {
                continue;
            }
            return Err(Problem::malformed(format!("{:?} where a section begins", excerpt(line))).at(place));
        };
        match (name, &mut msh) {
            (b"MeshFormat", None) => msh = Some(Msh::begin(here, file.len())?),
            (b"Nodes" | b"Elements", None) => {
                return Err(Problem::malformed("no $MeshFormat before the first section").at(place));
            }
            (b"Nodes", Some(msh)) => {
                once(&mut sections[0], "$Nodes", place)?;
                msh.nodes()?;
            }
            (b"Elements", Some(msh)) => {
                once(&mut sections[1], "$Elements", place)?;
                msh.elements()?;
            }
            _ => {}
        }
        let end = [b"$End", name].concat();
        let source = msh.as_mut().map_or(&mut bytes, |msh| &mut msh.bytes);
        let known = matches!(name, b"Nodes" | b"Elements" | b"MeshFormat");
        if known && !source.rest().trim_ascii_start().starts_with(&end) {
            let what = format!("{} does not end where its counts say", excerpt(name));
            return Err(Problem::WrongCount(what).at(source.byte_place()));
        }
        if !source.pass(&end) {
            return Err(Problem::Truncated(format!("no {}", excerpt(&end))).at(place));
        }
    }
    match (msh, sections) {
        (Some(msh), [true, true]) => Ok(msh.found),
        (None, _) => Err(Problem::malformed("no $MeshFormat").into()),
        _ => Err(Problem::Truncated("no $Nodes or no $Elements".into()).into()),
    }
}

fn once(seen: &mut bool, name: &str, place: Place) -> Result<(), Fault> {
    if std::mem::replace(seen, true) {
        return Err(Problem::malformed(format!("a second {name}")).at(place));
    }
    Ok(())
}

struct Msh<'a> {
    bytes: Bytes<'a>,
    is_text: bool,
    is_big: bool,
    is_new: bool,
    size: u64,
    found: Elements,
    /// Numbers of nodes with their places, sorted; empty while numbers are 1, 2, 3, …
    places: Vec<(u64, u32)>,
}

impl<'a> Msh<'a> {
    fn begin(mut bytes: Bytes<'a>, size: usize) -> Result<Msh<'a>, Fault> {
        let line = bytes.line().unwrap_or_default();
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let is_new = match words.next() {
            Some(b"2.2" | b"2") => false,
            Some(b"4.1") => true,
            other => {
                let what =
                    format!("version {:?} of MSH; 2.2 and 4.1 are read", excerpt(other.unwrap_or(b"")));
                return Err(Problem::Unsupported(what).at(bytes.line_place()));
            }
        };
        let (kind, width) = (words.next(), words.next());
        if width != Some(b"8") || !matches!(kind, Some(b"0" | b"1")) {
            return Err(
                Problem::malformed("the version is followed by 0 or 1, then 8").at(bytes.line_place())
            );
        }
        let is_text = kind == Some(b"0");
        let mut is_big = false;
        if !is_text {
            is_big = match bytes.take(4)? {
                [1, 0, 0, 0] => false,
                [0, 0, 0, 1] => true,
                _ => {
                    return Err(
                        Problem::malformed("the order of bytes is not told by a 1").at(bytes.byte_place())
                    );
                }
            };
        }
        let found = Elements::default();
        Ok(Msh { bytes, is_text, is_big, is_new, size: size as u64, found, places: Vec::new() })
    }

    /// Where what was read last stands.
    fn place(&self) -> Place {
        if self.is_text { self.bytes.line_place() } else { self.bytes.byte_place() }
    }

    fn raw<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.bytes.take(N)?);
        if self.is_big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn int(&mut self) -> Result<i64, Fault> {
        if self.is_text {
            return self.bytes.integer();
        }
        Ok(i64::from(i32::from_le_bytes(self.raw()?)))
    }

    /// Counts and numbers of nodes and elements: never negative, of eight bytes in the newer version.
    fn size(&mut self) -> Result<u64, Fault> {
        let value = if self.is_text || !self.is_new { self.int()? } else { i64::from_le_bytes(self.raw()?) };
        let wrong = || Problem::WrongCount(format!("{value} is no count")).at(self.place());
        u64::try_from(value).map_err(|_| wrong())
    }

    fn double(&mut self) -> Result<f64, Fault> {
        if self.is_text {
            return self.bytes.number();
        }
        let value = f64::from_le_bytes(self.raw()?);
        if value.is_finite() { Ok(value) } else { Err(Problem::NotFinite.at(self.place())) }
    }

    /// The count in front of a section of the older version, which is text always.
    fn old_count(&mut self) -> Result<u64, Fault> {
        let line = self.bytes.line().unwrap_or_default();
        let count = crate::number::integer(line).map_err(|problem| problem.at(self.place()))?;
        u64::try_from(count).map_err(|_| Problem::WrongCount(format!("{count}")).at(self.place()))
    }

    fn nodes(&mut self) -> Result<(), Fault> {
        let mut numbers = Vec::new();
        if self.is_new {
            let [blocks, count, _, _] = [self.size()?, self.size()?, self.size()?, self.size()?];
            for _ in 0..blocks {
                self.node_block(&mut numbers)?;
            }
            if numbers.len() as u64 != count {
                let what = format!("{count} nodes were promised, {} came", numbers.len());
                return Err(Problem::WrongCount(what).at(self.place()));
            }
        } else {
            let count = self.old_count()?;
            reserve(&mut numbers, room(Some(self.size), count, 8))?;
            for _ in 0..count {
                let number = self.size()?;
                reserve(&mut numbers, 1)?;
                numbers.push(number);
                self.point(0)?;
            }
        }
        self.name(&numbers)
    }

    fn node_block(&mut self, numbers: &mut Vec<u64>) -> Result<(), Fault> {
        let [dimension, _, parametric] = [self.int()?, self.int()?, self.int()?];
        let count = self.size()?;
        // Parameters on the entity follow a point, one for each of its dimensions.
        let further = if parametric == 0 { 0 } else { dimension.clamp(0, 3) };
        reserve(numbers, room(Some(self.size), count, 8))?;
        for _ in 0..count {
            let number = self.size()?;
            reserve(numbers, 1)?;
            numbers.push(number);
        }
        for _ in 0..count {
            self.point(further)?;
        }
        Ok(())
    }

    fn point(&mut self, further: i64) -> Result<(), Fault> {
        let point = DVec3::new(self.double()?, self.double()?, self.double()?);
        for _ in 0..further {
            self.double()?;
        }
        reserve(&mut self.found.points, 1)?;
        self.found.points.push(point);
        Ok(())
    }

    fn name(&mut self, numbers: &[u64]) -> Result<(), Fault> {
        if u32::try_from(numbers.len()).is_err() {
            return Err(Problem::TooMany(format!("{} nodes", numbers.len())).into());
        }
        if numbers.iter().zip(1..).all(|(&number, i)| number == i) {
            return Ok(());
        }
        reserve(&mut self.places, numbers.len())?;
        self.places.extend(numbers.iter().copied().zip(0..));
        self.places.sort_unstable();
        match self.places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                Err(Problem::malformed("a second node of this number").at(Place::Element("node", pair[0].0)))
            }
            None => Ok(()),
        }
    }

    fn corner(&mut self) -> Result<u32, Fault> {
        let number = self.size()?;
        let points = self.found.points.len() as u64;
        let place = if self.places.is_empty() {
            (1..=points).contains(&number).then(|| number as u32 - 1)
        } else {
            let found = self.places.binary_search_by_key(&number, |&(number, _)| number);
            found.ok().map(|i| self.places[i].1)
        };
        let index = i64::try_from(number).unwrap_or(i64::MAX);
        place.ok_or_else(|| Problem::BadIndex { index, vertices: points }.at(self.place()))
    }

    fn elements(&mut self) -> Result<(), Fault> {
        let mut came = 0;
        let count;
        if self.is_new {
            let blocks = self.size()?;
            count = self.size()?;
            let _range = [self.size()?, self.size()?];
            for _ in 0..blocks {
                let [_, _, kind] = [self.int()?, self.int()?, self.int()?];
                let here = self.size()?;
                for _ in 0..here {
                    let number = self.size()?;
                    self.element(kind, number)?;
                }
                came += here;
            }
        } else {
            count = self.old_count()?;
            while came < count {
                came += self.old_elements()?;
            }
        }
        if came == count {
            return Ok(());
        }
        Err(Problem::WrongCount(format!("{count} elements were promised, {came} came")).at(self.place()))
    }

    /// One element of text; as bytes, all of one head.
    fn old_elements(&mut self) -> Result<u64, Fault> {
        let (number, kind, here) = if self.is_text {
            (Some(self.size()?), self.int()?, 1)
        } else {
            (None, self.int()?, self.size()?)
        };
        let tags = self.size()?;
        for _ in 0..here {
            let number = if let Some(number) = number { number } else { self.size()? };
            for _ in 0..tags {
                self.int()?;
            }
            self.element(kind, number)?;
        }
        Ok(here)
    }

    fn element(&mut self, kind: i64, number: u64) -> Result<(), Fault> {
        match kind {
            4 => {
                let corners = [self.corner()?, self.corner()?, self.corner()?, self.corner()?];
                self.found.push_tetrahedron(number, corners)
            }
            2 => {
                let corners = [self.corner()?, self.corner()?, self.corner()?];
                Ok(self.found.faces.push_triangle(corners)?)
            }
            3 => {
                let corners = [self.corner()?, self.corner()?, self.corner()?, self.corner()?];
                Ok(self.found.faces.push(&corners)?)
            }
            // Points and lines, also of higher order.
            15 | 1 | 8 | 26..=28 => {
                let corners = match kind {
                    15 => 1,
                    1 => 2,
                    8 => 3,
                    _ => kind - 22,
                };
                for _ in 0..corners {
                    self.corner()?;
                }
                self.found.ignored += 1;
                Ok(())
            }
            _ => Err(Problem::Unsupported(other(kind)).at(Place::Element("element", number))),
        }
    }
}

/// The name of a kind that is not read.
fn other(kind: i64) -> String {
    let name = match kind {
        5 => "a hexahedron",
        6 => "a prism",
        7 => "a pyramid",
        9 => "a triangle of second order",
        10 | 16 => "a quadrilateral of second order",
        11 => "a tetrahedron of second order",
        12 | 17 => "a hexahedron of second order",
        13 | 18 => "a prism of second order",
        14 | 19 => "a pyramid of second order",
        _ => return format!("an element of kind {kind}; triangles, quadrilaterals and tetrahedra are read"),
    };
    format!("{name}; triangles, quadrilaterals and tetrahedra of first order are read")
}
