//! The words nearest to a word, by the cosine of their vectors.

use super::Model;

/// A near word.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbor {
    /// Its id.
    pub word: usize,
    /// Cosine of the two vectors.
    pub cosine: f64,
    /// How often it occurs there.
    pub count: u64,
}

impl Model {
    /// The `n` words nearest to `word` under levels, among those that occur at least `least` times
    /// there. No levels: the base vectors.
    pub fn neighbors(&self, word: usize, levels: &[usize], n: usize, least: u64) -> Vec<Neighbor> {
        let own = self.vector_in(word, levels);
        let norm = |vector: &[f32]| {
            vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
        };
        let own_norm = norm(&own);
        let mut near: Vec<Neighbor> = (0..self.vocabulary.len())
            .filter(|&other| other != word)
            .filter_map(|other| {
                let count = self.count_in(other, levels);
                if count < least {
                    return None;
                }
                let vector = self.vector_in(other, levels);
                let dot: f64 =
                    own.iter().zip(&vector).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
                let scale = own_norm * norm(&vector);
                (scale > 0.0).then(|| Neighbor { word: other, cosine: dot / scale, count })
            })
            .collect();
        near.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.word.cmp(&b.word)));
        near.truncate(n);
        near
    }
}
