//! Small matrices, of intervals and of doubles.

use kontakt_math::Interval;

/// A matrix of intervals: rows of n.
pub type Rows<const M: usize, const N: usize> = [[Interval; N]; M];

/// Middles of the intervals.
pub fn middles<const M: usize, const N: usize>(a: &Rows<M, N>) -> [[f64; N]; M] {
    a.map(|row| row.map(Interval::middle))
}

/// Y·A for a matrix of doubles Y.
pub fn mixed<const K: usize, const M: usize, const N: usize>(
    y: &[[f64; M]; K],
    a: &Rows<M, N>,
) -> Rows<K, N> {
    y.map(|row| {
        std::array::from_fn(|j| {
            row.iter().zip(a).fold(Interval::ZERO, |sum, (&y, a)| sum + Interval::point(y) * a[j])
        })
    })
}

/// Y·b for a matrix of doubles Y.
pub fn mixed_vector<const K: usize, const M: usize>(y: &[[f64; M]; K], b: &[Interval; M]) -> [Interval; K] {
    y.map(|row| row.iter().zip(b).fold(Interval::ZERO, |sum, (&y, &b)| sum + Interval::point(y) * b))
}

/// The transposed matrix times the matrix.
pub fn gram<const M: usize, const N: usize>(a: &Rows<M, N>) -> Rows<N, N> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            // A diagonal entry is a sum of squares, which is tighter.
            let term = |row: &[Interval; N]| if i == j { row[i].square() } else { row[i] * row[j] };
            a.iter().fold(Interval::ZERO, |sum, row| sum + term(row))
        })
    })
}

/// The transposed matrix times a vector.
pub fn transposed_vector<const M: usize, const N: usize>(a: &Rows<M, N>, b: &[Interval; M]) -> [Interval; N] {
    std::array::from_fn(|i| a.iter().zip(b).fold(Interval::ZERO, |sum, (row, &b)| sum + row[i] * b))
}

/// About the matrix that mixes the rows of `a` to the identity: (aᵀa)⁻¹aᵀ; aᵀ with rows of length one where a column is nearly a
/// combination of the others. Any matrix serves its users: they only lose sharpness.
pub fn preconditioner<const M: usize, const N: usize>(a: &[[f64; N]; M]) -> [[f64; M]; N] {
    let dot = |i: usize, j: usize| a.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let normal: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| dot(i, j)));
    let transposed: [[f64; M]; N] = std::array::from_fn(|i| std::array::from_fn(|l| a[l][i]));
    let inverse = inverse(&normal);
    let singular = (0..N).any(|i| {
        // The diagonal of the inverse times that of the matrix is one for columns at right angles, 1/sin² of the angle otherwise.
        let spread = inverse.map_or(f64::INFINITY, |inverse| inverse[i][i] * normal[i][i]);
        !(spread < 1e10 && spread > 0.0)
    });
    match inverse {
        Some(inverse) if !singular => inverse
            .map(|row| std::array::from_fn(|l| row.iter().zip(&transposed).map(|(y, t)| y * t[l]).sum())),
        _ => std::array::from_fn(|i| {
            let size = normal[i][i].sqrt();
            transposed[i].map(|x| if size > 0.0 { x / size } else { 0.0 })
        }),
    }
}

/// By Gauss and Jordan with pivots; none where a pivot is zero or a number not finite.
fn inverse<const N: usize>(a: &[[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let mut left = *a;
    let mut right: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for k in 0..N {
        let pivot = (k..N).max_by(|&i, &j| left[i][k].abs().total_cmp(&left[j][k].abs()))?;
        left.swap(k, pivot);
        right.swap(k, pivot);
        let scale = 1.0 / left[k][k];
        if !scale.is_finite() {
            return None;
        }
        for j in 0..N {
            left[k][j] *= scale;
            right[k][j] *= scale;
        }
        for i in (0..N).filter(|&i| i != k) {
            let factor = left[i][k];
            for j in 0..N {
                left[i][j] -= factor * left[k][j];
                right[i][j] -= factor * right[k][j];
            }
        }
    }
    right.iter().flatten().all(|x| x.is_finite()).then_some(right)
}

/// Contains the determinant of a matrix of at most three rows, by cofactors.
pub fn determinant<const N: usize>(a: &Rows<N, N>) -> Interval {
    (0..N).fold(Interval::ZERO, |sum, j| sum + a[0][j] * cofactor(a, 0, j))
}

/// Contains (−1)^(i+j) times the determinant without row i and column j, for at most three rows.
pub fn cofactor<const N: usize>(a: &Rows<N, N>, i: usize, j: usize) -> Interval {
    let at = |k: usize, l: usize| a[(i + k) % N][(j + l) % N];
    match N {
        1 => Interval::ONE,
        2 if (i + j).is_multiple_of(2) => at(1, 1),
        2 => -at(1, 1),
        // Rows and columns in cyclic order carry the sign.
        _ => at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1),
    }
}
