//! A tree of merges, as hierarchical clustering makes it.
//!
//! Nodes are numbered as kodama and SciPy do: the leaves 0 to n − 1, then the merges in order,
//! so that merge k is node n + k.

use super::check;
use crate::ChartError;

const MOST_LEAVES: usize = 1000;

/// A leaf.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leaf {
    /// Its name.
    pub label: String,
    /// Leaves of one group share a colour and an entry in the legend.
    pub group: Option<String>,
}

/// Two nodes that become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merge {
    /// A node: a leaf, or an earlier merge.
    pub a: usize,
    /// Another node.
    pub b: usize,
    /// How far apart they are; not below 0.
    pub height: f64,
}

/// A tree of merges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dendrogram {
    /// The leaves.
    pub leaves: Vec<Leaf>,
    /// The merges, one fewer than leaves.
    pub merges: Vec<Merge>,
}

impl Dendrogram {
    pub(crate) fn check(&self) -> Result<(), ChartError> {
        let leaves = self.leaves.len();
        check::at_most(leaves, MOST_LEAVES, "leaves")?;
        let expected = leaves.saturating_sub(1);
        check::length(self.merges.len(), expected, || "merges of the dendrogram".to_owned())?;
        let mut joined = vec![false; leaves + self.merges.len()];
        for (merge, &Merge { a, b, height }) in self.merges.iter().enumerate() {
            check::number(height, || format!("the height of merge {merge}"))?;
            let refuse = |node, problem| Err(ChartError::Merge { merge, node, problem });
            if height < 0.0 {
                return refuse(a, "its height is below 0");
            }
            for node in [a, b] {
                if node >= leaves + merge {
                    return refuse(node, "expected a leaf or an earlier merge");
                }
                if std::mem::replace(&mut joined[node], true) {
                    return refuse(node, "it was joined before");
                }
            }
        }
        Ok(())
    }

    /// The leaves from top to bottom, so that no branches cross: of two nodes the one that holds
    /// the leaf with the lower number comes first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let leaves = self.leaves.len();
        let mut first: Vec<usize> = (0..leaves).collect();
        for merge in &self.merges {
            first.push(first[merge.a].min(first[merge.b]));
        }
        let mut order = Vec::with_capacity(leaves);
        let mut open: Vec<usize> = first.len().checked_sub(1).into_iter().collect();
        while let Some(node) = open.pop() {
            match node.checked_sub(leaves) {
                None => order.push(node),
                Some(k) => {
                    let Merge { a, b, .. } = self.merges[k];
                    let (near, far) = if first[a] < first[b] { (a, b) } else { (b, a) };
                    open.extend([far, near]);
                }
            }
        }
        order
    }

    /// Where every node stands, in leaves from the top: a merge in the middle of what it joins.
    pub(crate) fn places(&self) -> Vec<f64> {
        let mut places = vec![0.0; self.leaves.len()];
        for (place, leaf) in self.order().into_iter().enumerate() {
            places[leaf] = place as f64;
        }
        for merge in &self.merges {
            places.push((places[merge.a] + places[merge.b]) / 2.0);
        }
        places
    }

    /// The height of a node: 0 for a leaf.
    pub(crate) fn height(&self, node: usize) -> f64 {
        node.checked_sub(self.leaves.len()).map_or(0.0, |k| self.merges[k].height)
    }
}
