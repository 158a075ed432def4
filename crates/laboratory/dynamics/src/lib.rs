//! The method of discrete elements (`cundall1979`) for a gas of equal spheres, as the GJK thesis's framework moves such gases: steps of a
//! fixed length, and in contact a spring and a dashpot push the spheres apart. Spheres overlap by design, and energy drifts with the length of
//! the step. **Nothing here is used by the product**, whose gases go from contact to contact.

mod grid;
mod springs;

pub use springs::{Contact, Integrator, SpringGas, SpringGasError};
