//! A tree of levels, drawn with characters: a leaf a line, merges further right the further apart.

use covec::analyse::clusters::Clusters;

/// Characters from height 0 to the largest.
const WIDTH: usize = 60;

/// The tree with a scale below it.
pub(crate) fn drawn(labels: &[String], tree: &Clusters) -> String {
    let most = tree.merges.iter().map(|merge| merge.height).fold(0.0, f64::max);
    let column = |height: f64| match most > 0.0 {
        true => (height.max(0.0) / most * (WIDTH - 1) as f64).round() as usize,
        false => 0,
    };
    let mut canvas = vec![vec![' '; WIDTH]; labels.len()];
    // Line and column where every cluster ends; a leaf's begin at the left.
    let mut ends: Vec<(usize, usize)> = vec![(0, 0); labels.len()];
    for (line, &level) in tree.order.iter().enumerate() {
        ends[level] = (line, 0);
    }
    for merge in &tree.merges {
        let [(from, a), (to, b)] = [ends[merge.a], ends[merge.b]];
        // Below its parts no merge is drawn, and two merges never in one place.
        let at = column(merge.height).max(a + 1).max(b + 1).min(WIDTH - 1);
        for (line, start) in [(from, a), (to, b)] {
            for cell in &mut canvas[line][start..at] {
                if *cell == ' ' {
                    *cell = '─';
                }
            }
        }
        let (top, bottom) = (from.min(to), from.max(to));
        canvas[top][at] = '┐';
        canvas[bottom][at] = '┘';
        for line in &mut canvas[top + 1..bottom] {
            line[at] = '│';
        }
        // The next merge goes on from the middle.
        let middle = usize::midpoint(top, bottom);
        canvas[middle][at] = if middle == top { '┬' } else { '├' };
        ends.push((middle, at));
    }
    if let Some(&(line, at)) = ends.last() {
        canvas[line][at] = if canvas[line][at] == '┬' { '┐' } else { '┤' };
    }
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (line, &level) in canvas.iter().zip(&tree.order) {
        let label = &labels[level];
        let pad = " ".repeat(width - label.chars().count());
        let line: String = line.iter().collect();
        text += &format!("{pad}{label} {}\n", line.trim_end());
    }
    let scale = format!("0{}{most:.3}", " ".repeat(WIDTH.saturating_sub(6)));
    text + &format!("{} {scale}\n", " ".repeat(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use covec::analyse::clusters::Merge;

    #[test]
    fn a_tree_is_drawn_leaf_by_leaf() {
        let merge = |a, b, height, size| Merge { a, b, height, size };
        let tree = Clusters {
            merges: vec![merge(0, 2, 0.25, 2), merge(3, 1, 1.0, 3)],
            order: vec![0, 2, 1],
        };
        let labels = ["austen", "verne", "eliot"].map(str::to_owned);
        let drawn = drawn(&labels, &tree);
        let lines: Vec<&str> = drawn.lines().collect();
        let dashes = |n: usize| "─".repeat(n);
        assert_eq!(lines[0], format!("austen {}┬{}┐", dashes(15), dashes(43)));
        assert_eq!(lines[1], format!(" eliot {}┘{}┤", dashes(15), " ".repeat(43)));
        assert_eq!(lines[2], format!(" verne {}┘", dashes(59)));
        assert!(lines[3].trim_start().starts_with('0') && lines[3].ends_with("1.000"));
    }

    #[test]
    fn levels_that_are_all_alike_are_drawn_too() {
        let merge = |a, b| Merge { a, b, height: 0.0, size: 2 };
        let tree = Clusters { merges: vec![merge(0, 1), merge(3, 2)], order: vec![0, 1, 2] };
        let labels = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(drawn(&labels, &tree).lines().count(), 4);
    }
}
