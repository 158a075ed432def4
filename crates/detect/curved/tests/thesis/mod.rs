//! The surfaces of the thesis' Table 2.1. The laboratory has them; no product crate depends on it, so its file is read here as well.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of them, and here nothing is public")]

#[path = "../../../../laboratory/curved/src/surfaces.rs"]
mod surfaces;

use kontakt_curved::NurbsSurface;

pub(crate) fn sphere() -> NurbsSurface {
    surfaces::sphere().unwrap()
}

pub(crate) fn cone() -> NurbsSurface {
    surfaces::cone().unwrap()
}

pub(crate) fn torus() -> NurbsSurface {
    surfaces::torus().unwrap()
}

pub(crate) fn wave() -> NurbsSurface {
    surfaces::wave().unwrap()
}

pub(crate) fn table() -> [(&'static str, NurbsSurface); 5] {
    surfaces::table().unwrap()
}
