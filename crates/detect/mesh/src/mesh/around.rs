//! The faces at each place of a body.

/// The faces at each place, a place being named by the first vertex there.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    starts: Vec<u32>,
    faces: Vec<u32>,
}

impl Around {
    pub(super) fn new(triangles: &[[u32; 3]], place: impl Fn(u32) -> u32) -> Around {
        let last = triangles.as_flattened().iter().max().map_or(0, |&v| v as usize + 1);
        let mut starts = vec![0_u32; last + 1];
        for &v in triangles.as_flattened() {
            starts[place(v) as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut next = starts.clone();
        let mut faces = vec![0; 3 * triangles.len()];
        for (face, triangle) in triangles.iter().enumerate() {
            for &v in triangle {
                let at = &mut next[place(v) as usize];
                faces[*at as usize] = face as u32;
                *at += 1;
            }
        }
        Around { starts, faces }
    }

    pub(crate) fn of(&self, place: u32) -> &[u32] {
        &self.faces[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }
}
