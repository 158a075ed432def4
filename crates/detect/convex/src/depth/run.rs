//! The whole computation in doubles, compiled for the widest unit there is: its loops over faces run eight at a time.

#![allow(unsafe_code, reason = "SIMD leaf: calls of functions compiled for units detected at run time")]

use super::descent::{Descent, descend};
use super::facet::{Facet, complete, incomplete};
use super::surface::Surface;
use super::{Bodies, Scaled, U};
use crate::difference::Difference;
use kontakt_math::DVec3;

/// What doubles can tell of the depth; `towards` is where to look first, or zero.
pub(super) fn run(pair: &Bodies<'_>, towards: DVec3, surface: &mut Surface) -> Facet {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
        fn wide(pair: &Bodies<'_>, towards: DVec3, surface: &mut Surface) -> Facet {
            body(pair, towards, surface)
        }
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn middle(pair: &Bodies<'_>, towards: DVec3, surface: &mut Surface) -> Facet {
            body(pair, towards, surface)
        }
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the processor has the features, asked for just now (BMI1 comes with BMI2).
            return unsafe { wide(pair, towards, surface) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            // SAFETY: the processor has the features, asked for just now (BMI1 comes with BMI2).
            return unsafe { middle(pair, towards, surface) };
        }
    }
    body(pair, towards, surface)
}

#[inline(always)]
fn body(pair: &Bodies<'_>, towards: DVec3, surface: &mut Surface) -> Facet {
    let scaled = Scaled::new(pair);
    let towards = if towards == DVec3::ZERO { -pair.middle() } else { towards };
    let tolerance = 16.0 * U * scaled.size();
    match descend(&scaled, towards, surface, tolerance) {
        Descent::Ended(reach) => {
            let proved = surface.goes_around_origin();
            complete(&scaled, surface, &reach, proved)
        }
        Descent::Flat(normal) | Descent::Outside(normal) => incomplete(&scaled, normal),
    }
}
