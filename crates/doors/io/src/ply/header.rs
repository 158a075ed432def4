//! The head of a PLY file: encoding, elements, properties.

use crate::error::{Fault, Problem};
use crate::excerpt::excerpt;
use crate::number::{integer, take_word};
use crate::scanner::Scanner;

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(word: &[u8]) -> Option<Scalar> {
        Some(match word {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    /// Bytes in a binary file.
    pub(super) fn bytes(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// One number, or a list with its length in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
    text: bool,
}

impl Element {
    /// The least number of bytes that one row takes in the file.
    pub(super) fn least_bytes(&self) -> u64 {
        let bytes = |property: &Property| match property.kind {
            _ if self.text => 2,
            Kind::Scalar(kind) => kind.bytes() as u64,
            Kind::List { count, .. } => count.bytes() as u64,
        };
        self.properties.iter().map(bytes).sum()
    }
}

impl Element {
    /// Bytes of a row in a binary file if all its properties are scalars.
    pub(super) fn packed_bytes(&self) -> Option<usize> {
        let all = self.properties.iter().all(|property| matches!(property.kind, Kind::Scalar(_)));
        all.then(|| self.column(self.properties.len()).0)
    }

    /// Offset and type of a property in a row of scalars.
    pub(super) fn column(&self, property: usize) -> (usize, Scalar) {
        let kind = |property: &Property| match property.kind {
            Kind::Scalar(kind) => kind,
            Kind::List { item, .. } => item,
        };
        let before = self.properties.iter().take(property).map(|property| kind(property).bytes()).sum();
        (before, self.properties.get(property).map_or(Scalar::U8, kind))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
}

impl Header {
    /// Reads up to and with `end_header`.
    pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Header, Fault> {
        scanner.skip_byte_order_mark()?;
        let magic = scanner.line()?.map(<[u8]>::trim_ascii_end);
        if magic != Some(b"ply") {
            return Err(Problem::malformed("the first line is not \"ply\"").at(scanner.line_place()));
        }
        let mut encoding = None;
        let mut elements = Vec::new();
        loop {
            let Some(line) = scanner.line()? else {
                return Err(Problem::Truncated("end_header is missing".into()).at(scanner.line_place()));
            };
            match header_line(line, &mut encoding, &mut elements) {
                Ok(true) => break,
                Ok(false) => {}
                Err(problem) => return Err(problem.at(scanner.line_place())),
            }
        }
        let Some(encoding) = encoding else {
            return Err(Problem::malformed("no line \"format\" in the header").at(scanner.line_place()));
        };
        for element in &mut elements {
            element.text = encoding == Encoding::Text;
        }
        Ok(Header { encoding, elements })
    }
}

/// Takes in one line; `true` for the last.
fn header_line(
    line: &[u8],
    encoding: &mut Option<Encoding>,
    elements: &mut Vec<Element>,
) -> Result<bool, Problem> {
    let (keyword, rest) = take_word(line);
    match keyword {
        b"end_header" => return Ok(true),
        b"" | b"comment" | b"obj_info" => {}
        b"format" => *encoding = Some(format(rest)?),
        b"element" => {
            let (name, rest) = take_word(rest);
            let count = integer(take_word(rest).0)?;
            let count = u64::try_from(count)
                .map_err(|_| Problem::WrongCount(format!("{count} {}", excerpt(name))))?;
            elements.push(Element {
                name: String::from_utf8_lossy(name).into_owned(),
                count,
                properties: vec![],
                text: false,
            });
        }
        b"property" => match elements.last_mut() {
            Some(element) => element.properties.push(property(rest)?),
            None => return Err(Problem::malformed("a property before any element")),
        },
        _ => return Err(Problem::malformed(format!("{:?} in the header", excerpt(line)))),
    }
    Ok(false)
}

fn format(rest: &[u8]) -> Result<Encoding, Problem> {
    let (name, version) = take_word(rest);
    if take_word(version).0 != b"1.0" {
        return Err(Problem::Unsupported(format!("version {:?}", excerpt(version))));
    }
    match name {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        _ => Err(Problem::Unsupported(format!("format {:?}", excerpt(name)))),
    }
}

fn property(rest: &[u8]) -> Result<Property, Problem> {
    let scalar = |word: &[u8]| {
        Scalar::named(word).ok_or_else(|| Problem::Unsupported(format!("property type {:?}", excerpt(word))))
    };
    let (first, rest) = take_word(rest);
    let (kind, name) = if first == b"list" {
        let (count, rest) = take_word(rest);
        let (item, rest) = take_word(rest);
        let kind = Kind::List { count: scalar(count)?, item: scalar(item)? };
        if matches!(kind, Kind::List { count, .. } if !count.is_whole()) {
            return Err(Problem::malformed("the length of a list is not a whole number"));
        }
        (kind, rest)
    } else {
        (Kind::Scalar(scalar(first)?), rest)
    };
    let name = String::from_utf8_lossy(take_word(name).0).into_owned();
    Ok(Property { name, kind })
}
