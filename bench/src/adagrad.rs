//! GloVe's own scheme, straightforwardly: AdaGrad entry after entry, in single precision, on two
//! threads. Vectors are tied and biases are per level, as in covec's model; the levels' weights stay
//! 1, which spares it work.
//!
//! The words are dealt into four hands; in every round each thread holds two of them, so that they
//! never write to the same vector, and nobody waits.

use std::time::Instant;

use covec::tensor::Tensor;

const HANDS: usize = 4;
/// Who plays whom, both threads at once.
const ROUNDS: [[(usize, usize); 2]; 5] =
    [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)], [(0, 0), (1, 1)], [(2, 2), (3, 3)]];
const RATE: f32 = 0.05;

#[derive(Clone, Copy)]
struct Entry {
    row: u32,
    col: u32,
    cell: u32,
    weight: f32,
    target: f32,
}

/// A hand of words: vectors, biases, and the sums of squared gradients of both.
#[derive(Default)]
struct Hand {
    vectors: Vec<f32>,
    vector_sums: Vec<f32>,
    biases: Vec<f32>,
    bias_sums: Vec<f32>,
}

/// Trains for some epochs; gives the seconds it took, without reading, and the loss, ½ · mean of
/// weight · residual², as it was met in the last.
pub fn train(tensor: &Tensor, dim: usize, epochs: usize) -> Result<(f64, f64), String> {
    let cells = tensor.covariates.cells.len();
    let words = tensor.vocabulary.len();
    let mut games: Vec<Vec<Entry>> = vec![Vec::new(); HANDS * HANDS];
    for entries in tensor.entries().map_err(|e| e.to_string())? {
        let entries = entries.map_err(|e| e.to_string())?;
        for i in 0..entries.values.len() {
            let (row, col) = (entries.rows[i], entries.cols[i]);
            if col >= row {
                continue;
            }
            let (a, b) = (row as usize % HANDS, col as usize % HANDS);
            let (row, col, a, b) = if a <= b { (row, col, a, b) } else { (col, row, b, a) };
            let value = entries.values[i];
            games[a * HANDS + b].push(Entry {
                row: row / HANDS as u32,
                col: col / HANDS as u32,
                cell: entries.cells[i],
                weight: (value.min(100.0) / 100.0).powf(0.75) as f32,
                target: value.ln() as f32,
            });
        }
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for game in &mut games {
        for i in (1..game.len()).rev() {
            game.swap(i, (random() % (i as u64 + 1)) as usize);
        }
    }
    let each = words.div_ceil(HANDS);
    let mut hands: Vec<Hand> = (0..HANDS)
        .map(|_| Hand {
            vectors: (0..each * dim)
                .map(|_| ((random() >> 40) as f32 / (1_u64 << 24) as f32 - 0.5) / dim as f32)
                .collect(),
            vector_sums: vec![1.0; each * dim],
            biases: vec![0.0; each * cells],
            bias_sums: vec![1.0; each * cells],
        })
        .collect();
    let entries: usize = games.iter().map(Vec::len).sum();
    let begun = Instant::now();
    let mut loss = 0.0;
    for _ in 0..epochs {
        loss = 0.0;
        for round in ROUNDS {
            let mut held: Vec<(usize, usize, Hand, Hand)> = round
                .iter()
                .map(|&(a, b)| {
                    let first = std::mem::take(&mut hands[a]);
                    let second =
                        if a == b { Hand::default() } else { std::mem::take(&mut hands[b]) };
                    (a, b, first, second)
                })
                .collect();
            std::thread::scope(|scope| {
                let handles: Vec<_> = held
                    .iter_mut()
                    .map(|(a, b, first, second)| {
                        let game = &games[*a * HANDS + *b];
                        let alone = a == b;
                        scope.spawn(move || {
                            pulp::Arch::new()
                                .dispatch(|| play(game, first, second, alone, dim, cells))
                        })
                    })
                    .collect();
                for handle in handles {
                    loss += handle.join().unwrap_or(f64::NAN);
                }
            });
            for (a, b, first, second) in held {
                hands[a] = first;
                if a != b {
                    hands[b] = second;
                }
            }
        }
    }
    Ok((begun.elapsed().as_secs_f64(), loss / entries as f64 / 2.0))
}

#[inline(always)]
fn play(
    game: &[Entry],
    first: &mut Hand,
    second: &mut Hand,
    alone: bool,
    dim: usize,
    cells: usize,
) -> f64 {
    let mut loss = 0.0;
    for entry in game {
        let (row, col) = (entry.row as usize, entry.col as usize);
        if alone {
            if row == col {
                continue;
            }
            let (low, high) = (row.min(col), row.max(col));
            let (a, b) = first.vectors.split_at_mut(high * dim);
            let (sa, sb) = first.vector_sums.split_at_mut(high * dim);
            let (a, sa) = (&mut a[low * dim..][..dim], &mut sa[low * dim..][..dim]);
            let (low, high) =
                (low * cells + entry.cell as usize, high * cells + entry.cell as usize);
            let (ba, bb) = first.biases.split_at_mut(high);
            let (sba, sbb) = first.bias_sums.split_at_mut(high);
            let biases = [&mut ba[low], &mut bb[0], &mut sba[low], &mut sbb[0]];
            loss += step(entry, a, &mut b[..dim], sa, &mut sb[..dim], biases);
        } else {
            let (x, y) = (row * cells + entry.cell as usize, col * cells + entry.cell as usize);
            let biases = [
                &mut first.biases[x],
                &mut second.biases[y],
                &mut first.bias_sums[x],
                &mut second.bias_sums[y],
            ];
            loss += step(
                entry,
                &mut first.vectors[row * dim..][..dim],
                &mut second.vectors[col * dim..][..dim],
                &mut first.vector_sums[row * dim..][..dim],
                &mut second.vector_sums[col * dim..][..dim],
                biases,
            );
        }
    }
    loss
}

#[inline(always)]
fn step(
    entry: &Entry,
    a: &mut [f32],
    b: &mut [f32],
    sa: &mut [f32],
    sb: &mut [f32],
    [ba, bb, sba, sbb]: [&mut f32; 4],
) -> f64 {
    let mut sums = [0.0_f32; 8];
    for (x, y) in a.chunks(8).zip(b.chunks(8)) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    let residual = sums.iter().sum::<f32>() + *ba + *bb - entry.target;
    let pull = entry.weight * residual;
    for (((a, b), sa), sb) in a.iter_mut().zip(b.iter_mut()).zip(sa).zip(sb) {
        let (ga, gb) = (pull * *b, pull * *a);
        *a -= RATE * ga / sa.sqrt();
        *b -= RATE * gb / sb.sqrt();
        *sa += ga * ga;
        *sb += gb * gb;
    }
    *ba -= RATE * pull / sba.sqrt();
    *bb -= RATE * pull / sbb.sqrt();
    *sba += pull * pull;
    *sbb += pull * pull;
    f64::from(pull * residual)
}
