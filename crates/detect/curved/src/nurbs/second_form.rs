//! Second derivatives of a rational piece as rational forms of their own.

use super::grid::Grid;
use super::net::Net;

/// Where a parameter's degree is higher, forms of three times as much cost more than they are worth.
const MOST: usize = 4;

/// Nets of (w³Suu, w³), (w³Suv, w³) and (w³Svv, w³); none for high degrees.
///
/// With A = wS and x, y either parameter: w³Sxy = w²Axy − w(wx Ay + wy Ax) + (2 wx wy − w wxy)A. In products of ranges its terms, which
/// largely cancel, would each take their worst; as one form they cancel before the range is taken.
pub(super) fn second_forms(nets: &[Net; 6]) -> Option<[Net; 3]> {
    if nets[0].degrees().iter().any(|&degree| degree > MOST) {
        return None;
    }
    let [value, u, v, uu, uv, vv] = std::array::from_fn(|i| [0, 1, 2, 3].map(|c| Grid::of(&nets[i], c)));
    let target = value[0].degrees().map(|degree| 3 * degree);
    let raised = |grid: Grid| {
        let by: [usize; 2] = std::array::from_fn(|i| target[i] - grid.degrees()[i]);
        grid.times(&Grid::one(by))
    };
    let w = &value[3];
    let square = w.times(w)?;
    let cube = square.times(w)?;
    let form = |x: &[Grid; 4], y: &[Grid; 4], xy: &[Grid; 4]| {
        let [wx, wy] = [w.times(&x[3])?, w.times(&y[3])?];
        let [both, bend] = [raised_factor(&x[3], &y[3], w)?, w.times(&xy[3])?];
        let coordinate = |c: usize| {
            let sides = raised(wx.times(&y[c])?)?.plus(&raised(wy.times(&x[c])?)?, 1.0);
            let rest = raised(both.times(&value[c])?)?.plus(&raised(bend.times(&value[c])?)?, -1.0);
            Some(raised(square.times(&xy[c])?)?.plus(&sides, -1.0).plus(&rest, 1.0))
        };
        Some(Grid::bundled([&coordinate(0)?, &coordinate(1)?, &coordinate(2)?, &cube]))
    };
    Some([form(&u, &u, &uu)?, form(&u, &v, &uv)?, form(&v, &v, &vv)?])
}

/// 2·wx·wy in the degrees of w².
fn raised_factor(wx: &Grid, wy: &Grid, w: &Grid) -> Option<Grid> {
    let product = wx.times(wy)?;
    let by: [usize; 2] = std::array::from_fn(|i| 2 * w.degrees()[i] - product.degrees()[i]);
    let product = product.times(&Grid::one(by))?;
    Some(Grid::zero(product.degrees()).plus(&product, 2.0))
}
