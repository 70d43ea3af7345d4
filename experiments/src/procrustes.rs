//! Two spaces of their own, one turned onto the other (Hamilton et al. 2016): how far words then lie apart.

use covec::model::Model;
use faer::Mat;

/// 1 − cosine of every word that both models have, by its name.
pub fn distances(a: &Model, b: &Model) -> Result<Vec<(String, f64)>, String> {
    let both: Vec<(usize, usize)> = a
        .vocabulary
        .words
        .iter()
        .enumerate()
        .filter_map(|(word, name)| Some((word, b.word(name).ok()?)))
        .collect();
    let of = |model: &Model, words: &[usize]| {
        let mut rows =
            Mat::from_fn(words.len(), model.dim, |i, t| f64::from(model.vector(words[i])[t]));
        // Centred, and at length 1: as is usual before turning.
        for t in 0..model.dim {
            let middle = (0..words.len()).map(|i| rows[(i, t)]).sum::<f64>() / words.len() as f64;
            (0..words.len()).for_each(|i| rows[(i, t)] -= middle);
        }
        for i in 0..words.len() {
            let length =
                (0..model.dim).map(|t| rows[(i, t)].powi(2)).sum::<f64>().sqrt().max(1e-300);
            (0..model.dim).for_each(|t| rows[(i, t)] /= length);
        }
        rows
    };
    let (ours, theirs): (Vec<usize>, Vec<usize>) = both.into_iter().unzip();
    let (from, to) = (of(a, &ours), of(b, &theirs));
    let product = from.transpose() * &to;
    let svd = product.svd().map_err(|e| format!("{e:?}"))?;
    let turned = from * (svd.U() * svd.V().transpose());
    let cosine = |i: usize| (0..to.ncols()).map(|t| turned[(i, t)] * to[(i, t)]).sum::<f64>();
    let named = ours
        .iter()
        .enumerate()
        .map(|(i, &word)| (a.vocabulary.words[word].clone(), 1.0 - cosine(i)));
    Ok(named.collect())
}
