//! The default builder of the runtime form.

use super::axes::principal_axes;
use super::error::BuildError;
use super::lane::{LaneBox, in_axes};
use super::node::{Child, WIDTH, WideNode};
use super::scale::{Scale, box_around};
use super::{Packed, node};
use crate::faces::Faces;

/// Most triangles of a leaf this builder makes.
const LEAF: usize = 2;

impl Packed {
    /// Builds the default hierarchy of all faces with that many threads, which change nothing but the time.
    pub fn build(faces: Faces, threads: usize) -> Result<Packed, BuildError> {
        let _ = threads;
        let count = faces.triangles.len();
        if count == 0 {
            return Err(BuildError::NoTriangles);
        }
        if count > node::Child::MOST_SLOTS {
            return Err(BuildError::TooMany { count });
        }
        let used = faces.triangles.iter().flatten().map(|&v| faces.vertices[v as usize]);
        let (low, high) = box_around(used);
        let scale = Scale::around(low, high);
        let points: Vec<[f32; 3]> = faces.vertices.iter().map(|&v| scale.pack(v)).collect();
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut nodes = vec![WideNode::empty([[0.0; 3]; 3], [0.0; 3])];
        let mut open = vec![(0_usize, 0_usize, count)];
        while let Some((index, first, end)) = open.pop() {
            let corners = |t: u32| faces.triangles[t as usize].map(|v| points[v as usize]);
            let (axes, origin) = moments(order[first..end].iter().flat_map(|&t| corners(t)));
            let mut parts = vec![(first, end)];
            while parts.len() < WIDTH {
                let Some(largest) = (0..parts.len())
                    .filter(|&i| parts[i].1 - parts[i].0 > LEAF)
                    .max_by_key(|&i| parts[i].1 - parts[i].0)
                else {
                    break;
                };
                let (a, b) = parts[largest];
                let key = |t: u32| corners(t).map(|p| in_axes(&axes, &origin, p));
                let spread = order[a..b].iter().fold(LaneBox::EMPTY, |mut all, &t| {
                    key(t).into_iter().for_each(|y| all.include(y));
                    all
                });
                let axis = (0..3).fold(0, |best, k| {
                    let width = |k: usize| spread.high[k] - spread.low[k];
                    if width(k) > width(best) { k } else { best }
                });
                let middle = (b - a) / 2;
                order[a..b].select_nth_unstable_by(middle, |&s, &t| {
                    let sum = |t: u32| key(t).iter().map(|y| y[axis]).sum::<f32>();
                    sum(s).total_cmp(&sum(t)).then(s.cmp(&t))
                });
                parts[largest] = (a, a + middle);
                parts.insert(largest + 1, (a + middle, b));
            }
            let mut node = WideNode::empty(axes, origin);
            for (lane, &(a, b)) in parts.iter().enumerate() {
                let mut bounds = LaneBox::EMPTY;
                for &t in &order[a..b] {
                    corners(t).into_iter().for_each(|p| bounds.include(in_axes(&axes, &origin, p)));
                }
                node.set_box(lane, bounds.enclosure());
                node.child[lane] = if b - a <= LEAF {
                    Child::Leaf { first: a as u32, count: (b - a) as u32 }.encode()
                } else {
                    nodes.push(WideNode::empty(axes, origin));
                    open.push((nodes.len() - 1, a, b));
                    Child::Inner(nodes.len() as u32 - 1).encode()
                };
            }
            nodes[index] = node;
        }
        let corners = order.iter().map(|&t| faces.triangles[t as usize]).collect();
        Ok(Packed { origin: scale.origin, exponent: scale.exponent, nodes, order, corners })
    }
}

/// Principal axes and middle of points.
fn moments(points: impl Iterator<Item = [f32; 3]>) -> ([[f32; 3]; 3], [f32; 3]) {
    let (mut count, mut first, mut second) = (0.0, [0.0; 3], [0.0; 6]);
    let mut shift = None;
    for p in points {
        let shift = *shift.get_or_insert(p);
        let q: [f64; 3] = std::array::from_fn(|k| f64::from(p[k] - shift[k]));
        count += 1.0;
        for k in 0..3 {
            first[k] += q[k];
            second[k] += q[k] * q[k];
        }
        second[3] += q[0] * q[1];
        second[4] += q[0] * q[2];
        second[5] += q[1] * q[2];
    }
    let mean = first.map(|x| x / count);
    let outer = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(i, j)| mean[i] * mean[j] * count);
    let matrix = std::array::from_fn(|k| second[k] - outer[k]);
    let shift = shift.unwrap_or([0.0; 3]);
    (principal_axes(matrix), std::array::from_fn(|k| shift[k] + mean[k] as f32))
}
