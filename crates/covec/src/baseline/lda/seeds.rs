//! Where topics start: each at a piece of text that is unlike the others' pieces.
//!
//! Topics that start alike but for noise often end with two in one and one in two. So pieces are drawn one
//! after the other, each likely by how far it is from the nearest that was drawn, and of some such draws the
//! one that leaves all pieces nearest to one is kept (greedy k-means++).

use super::pieces::Pieces;
use crate::lots::{End, Lots, Stream};

/// Draws of which the best is kept.
const TRIES: usize = 6;

/// The pieces at which topics start; as many as there are topics, or pieces.
pub(super) fn seeds(pieces: &Pieces, vocabulary: usize, topics: usize, seed: u64) -> Vec<usize> {
    let mut lots = Stream::new(seed, End::Topics, 0);
    let mut near = vec![0.0_f64; pieces.len()];
    let mut seeds: Vec<usize> = Vec::new();
    while seeds.len() < topics.min(pieces.len()) {
        let tries = if seeds.is_empty() { 1 } else { TRIES };
        let drawn = (0..tries).map(|_| {
            let piece = draw(&near, &mut lots);
            let likeness = likeness(pieces, vocabulary, piece);
            let near: Vec<f64> = near.iter().zip(likeness).map(|(a, b)| a.max(b)).collect();
            (near.iter().sum::<f64>(), piece, near)
        });
        let Some((_, piece, nearer)) = drawn.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        near = nearer;
        seeds.push(piece);
    }
    seeds
}

/// A piece, likely by how far it is from what was drawn.
fn draw(near: &[f64], lots: &mut impl Lots) -> usize {
    let far = |near: &f64| (1.0 - near).max(0.0);
    let mut left = lots.share() * near.iter().map(far).sum::<f64>();
    let found = near.iter().position(|near| {
        left -= far(near);
        left < 0.0
    });
    found.unwrap_or(near.len().saturating_sub(1))
}

/// How like each piece is to one: 1 for the same shares of words, 0 for no word in common (Bhattacharyya).
fn likeness(pieces: &Pieces, vocabulary: usize, piece: usize) -> impl Iterator<Item = f64> {
    let shares = |piece: usize| {
        let own = pieces.starts[piece]..pieces.starts[piece + 1];
        let total: f64 = pieces.counts[own.clone()].iter().map(|&n| f64::from(n)).sum();
        let root = move |n: &f32| libm::sqrt(f64::from(*n) / total);
        pieces.words[own.clone()].iter().zip(pieces.counts[own].iter().map(root))
    };
    let mut roots = vec![0.0; vocabulary];
    shares(piece).for_each(|(&word, root)| roots[word as usize] = root);
    (0..pieces.len()).map(move |other| {
        shares(other).map(|(&word, root)| root * roots[word as usize]).sum::<f64>()
    })
}
