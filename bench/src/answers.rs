//! Answers of a large model: 50,000 words, 300 dimensions, 100 levels, every word deviating in the level
//! that is asked about.

use std::process::Command;
use std::time::Instant;

use covec::analyse::drift::{DriftParameters, drift};
use covec::analyse::neighbors::neighbors;
use covec::analyse::{SupportParameters, View, moved};
use covec::model::{Deviations, Model};
use covec::parameters::Whole;
use covec::{Error, Work};

use crate::Bench;
use crate::measure::run;
use crate::roofline;

const WORDS: usize = 50_000;
const DIM: usize = 300;
const LEVELS: usize = 100;
/// Words that are compared with each other; all 50,000 would take a minute.
const COMPARED: usize = 12_000;

impl Bench {
    pub(crate) fn answers(&mut self) -> Result<(), String> {
        let model = self.large()?;
        let work = Work::default();
        let (from, to) = (View::base(), View::of_factor(&model, 0).remove(3));
        let support = SupportParameters::default();
        let views = [from.clone(), to.clone()];
        let seconds = middle(|| neighbors(&model, "w7", &views, 10, &support, &work).map(drop))?;
        self.row(
            "neighbors in base and a level / 100 ms",
            format!("{:.0} ms", seconds * 1e3),
            seconds / 0.1,
            "≤ 1",
        );
        let parameters = DriftParameters::default();
        let seconds = middle(|| {
            drift(&model, "w7", (&from, &to), 10, &parameters, &support, &work).map(drop)
        })?;
        self.row(
            "drift of a word / 100 ms",
            format!("{:.0} ms", seconds * 1e3),
            seconds / 0.1,
            "≤ 1",
        );
        let peak = roofline::peak() * work.threads.get() as f64;
        // Words are numbered by how often they occur, so this leaves the first of them.
        let support = SupportParameters { min_support: Whole((WORDS - COMPARED) as u64 + 1) };
        let product = 2.0 * (COMPARED * COMPARED * DIM) as f64 / 1e9;
        // Of pairs each is looked at once: half a product in each of three spaces.
        for (what, products) in [("words", 2.0), ("pairs", 1.5)] {
            let seconds = middle(|| match what {
                "words" => moved::words(&model, &from, &to, &parameters, &support, &work).map(drop),
                _ => moved::pairs(&model, &from, &to, 10, &support, &work).map(drop),
            })?;
            let speed = products * product / seconds;
            self.row(
                &format!("drift of all {what} ({COMPARED} words) / arithmetic peak"),
                format!("{seconds:.2} s, {speed:.0} of {peak:.0} GFLOP/s"),
                speed / peak,
                "a large share",
            );
        }
        Ok(())
    }

    /// A model of that size, with random numbers.
    pub(crate) fn large(&self) -> Result<Model, String> {
        let (tensor, folder) = (self.path("small"), self.path("small-model"));
        let synth =
            format!("synth --tensor --words 60 --dim 4 --levels {LEVELS} --differing 0 -q -o");
        run(Command::new(&self.covec).args(synth.split(' ')).arg(&tensor))?;
        let train = "train --dim 4 --sweeps 1 --ridge 0.1 -q";
        run(Command::new(&self.covec).args(train.split(' ')).arg(&tensor).arg("-o").arg(&folder))?;
        let mut model = Model::open(&folder).map_err(|e| e.to_string())?;
        let mut state = 88_172_645_463_325_252_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        model.dim = DIM;
        model.vectors = (0..WORDS * DIM).map(|_| random()).collect();
        model.weights = (0..LEVELS * DIM).map(|_| random().abs() * 4.0).collect();
        model.biases = vec![0.0; LEVELS * WORDS].into();
        model.vocabulary.words = (0..WORDS).map(|word| format!("w{word}")).collect();
        let counts: Vec<u64> = (0..WORDS).map(|word| (WORDS - word) as u64 + 100).collect();
        model.vocabulary.level_counts = vec![counts.clone(); LEVELS];
        model.vocabulary.counts = counts;
        model.vocabulary.documents = vec![1; WORDS];
        let halves: Vec<half::f16> =
            (0..WORDS * DIM).map(|_| half::f16::from_f32(random() * 0.1)).collect();
        let words: Vec<u32> = (0..WORDS as u32).collect();
        model.deviations = Deviations::new(DIM, words, vec![3; WORDS], halves);
        Ok(model)
    }
}

/// The middle of five times, in seconds.
fn middle(once: impl Fn() -> Result<(), Error>) -> Result<f64, String> {
    let mut times = [0.0; 5];
    for time in &mut times {
        let begun = Instant::now();
        once().map_err(|e| e.to_string())?;
        *time = begun.elapsed().as_secs_f64();
    }
    times.sort_by(f64::total_cmp);
    Ok(times[2])
}
