//! How large the volumes of each level are.

use crate::packed::{Child, Packed, WIDTH, WideNode};

/// One level of a tree: the nodes at one distance from the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelMeasures {
    /// Distance from the root.
    pub depth: u32,
    /// Nodes of this depth.
    pub nodes: usize,
    /// How many of them are leaves.
    pub leaves: usize,
    /// Triangles below them; less than all when leaves end above.
    pub triangles: usize,
    /// Enclosed volume.
    pub volume: MeanMax,
    /// Surface area.
    pub surface: MeanMax,
    /// Largest distance of two points.
    pub diameter: MeanMax,
    /// Directed Hausdorff distance to the faces, from above; `None` where it was not measured.
    pub hausdorff: Option<MeanMax>,
}

/// Mean and maximum together.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MeanMax {
    /// Arithmetic mean, to rounding.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
}

impl MeanMax {
    /// Of values that are not negative; both 0 for none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> MeanMax {
        // A running mean: no sum to overflow.
        let mut count = 0.0;
        let (mut mean, mut max) = (0.0_f64, 0.0_f64);
        for value in values {
            count += 1.0;
            mean = if value.is_finite() { mean + (value - mean) / count } else { value };
            max = max.max(value);
        }
        MeanMax { mean: if max.is_finite() { mean } else { max }, max }
    }
}

/// Half extents of one box, in the body's units.
#[derive(Clone, Copy)]
struct Half([f64; 3]);

impl Half {
    fn volume(&self) -> f64 {
        8.0 * self.0[0] * self.0[1] * self.0[2]
    }

    fn surface(&self) -> f64 {
        let [x, y, z] = self.0;
        8.0 * (x * y + y * z + z * x)
    }

    fn diameter(&self) -> f64 {
        2.0 * self.0[0].hypot(self.0[1]).hypot(self.0[2])
    }
}

/// One box of the level being gathered.
struct Member {
    half: Half,
    leaf: bool,
    triangles: usize,
}

impl Packed {
    /// Measures of all levels, from the root down: level 0 is the box of the root in its axes, the others are the boxes of
    /// the lanes. To nearest.
    pub fn level_measures(&self) -> Vec<LevelMeasures> {
        let unit = 2.0_f64.powi(self.exponent().clamp(-1000, 1000));
        let below = self.triangles_below();
        let Some(root) = self.nodes().first() else { return Vec::new() };
        let mut levels = vec![level(
            0,
            &[Member { half: around(root, unit), leaf: false, triangles: self.order().len() }],
        )];
        let mut nodes = vec![0_u32];
        while !nodes.is_empty() {
            let mut members = Vec::new();
            let mut next = Vec::new();
            for node in nodes.iter().filter_map(|&node| self.nodes().get(node as usize)) {
                for (lane, child) in node.children().enumerate() {
                    let half = Half(std::array::from_fn(|k| unit * f64::from(node.half[k][lane])));
                    match child {
                        Child::Inner(inner) => {
                            let triangles = below.get(inner as usize).copied().unwrap_or(0);
                            members.push(Member { half, leaf: false, triangles });
                            next.push(inner);
                        }
                        Child::Leaf { count, .. } => {
                            members.push(Member { half, leaf: true, triangles: count as usize });
                        }
                        Child::Empty => {}
                    }
                }
            }
            levels.push(level(levels.len() as u32, &members));
            nodes = next;
        }
        levels
    }

    /// Triangles below each node; children come after their parent.
    fn triangles_below(&self) -> Vec<usize> {
        let mut below = vec![0; self.nodes().len()];
        for (index, node) in self.nodes().iter().enumerate().rev() {
            below[index] = node
                .children()
                .map(|child| match child {
                    Child::Inner(inner) => below.get(inner as usize).copied().unwrap_or(0),
                    Child::Leaf { count, .. } => count as usize,
                    Child::Empty => 0,
                })
                .sum();
        }
        below
    }
}

fn level(depth: u32, members: &[Member]) -> LevelMeasures {
    let summary = |measure: fn(&Half) -> f64| MeanMax::of(members.iter().map(|member| measure(&member.half)));
    LevelMeasures {
        depth,
        nodes: members.len(),
        leaves: members.iter().filter(|member| member.leaf).count(),
        triangles: members.iter().map(|member| member.triangles).sum(),
        volume: summary(Half::volume),
        surface: summary(Half::surface),
        diameter: summary(Half::diameter),
        hausdorff: None,
    }
}

/// The box around all lanes, in the node's axes.
fn around(node: &WideNode, unit: f64) -> Half {
    Half(std::array::from_fn(|k| {
        let used = (0..WIDTH).filter(|&lane| node.half[k][lane] >= 0.0);
        let ends = used.map(|lane| {
            let (centre, half) = (f64::from(node.centre[k][lane]), f64::from(node.half[k][lane]));
            (centre - half, centre + half)
        });
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (from, to)| {
            (low.min(from), high.max(to))
        });
        if low <= high { unit * (high - low) / 2.0 } else { 0.0 }
    }))
}

#[cfg(test)]
mod tests {
    use super::MeanMax;

    #[test]
    fn means_and_maxima() {
        assert_eq!(MeanMax::of([1.0, 2.0, 6.0]), MeanMax { mean: 3.0, max: 6.0 });
        assert_eq!(MeanMax::of([]), MeanMax { mean: 0.0, max: 0.0 });
    }
}
