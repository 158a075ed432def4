//! Laboratory: approximate times of contact, the theses' methods and plain conservative advancement, to compare with. **Nothing
//! here is certified**, and no product crate but the command line uses it; `kontakt_rigid_ccd` and `kontakt_soft_ccd` answer with
//! proof.

pub mod rigid;
pub mod soft;
