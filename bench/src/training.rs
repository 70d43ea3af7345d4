//! Benchmarks of training, on a part of the corpus: against what the machine can do, against
//! AdaGrad, two threads against one, many levels against one, memory.

use std::path::{Path, PathBuf};
use std::process::Command;

use covec::tensor::Tensor;

use crate::clock::laps;
use crate::measure::{Cost, pairs, run};
use crate::{Bench, adagrad, roofline};

/// Bytes of text that are trained on.
const TEXT: usize = 12_000_000;
/// Passes over the entries of a sweep in which a vector is read for a dot product and a sum: where a row stands, and the first of its
/// two steps of conjugate gradients. Weights do not move with one level, but the loss is taken: half of the entries.
const FOLDS: f64 = 2.5;
/// Passes in which it is read for a dot product alone: the last step.
const DOTS: f64 = 1.0;
const EPOCHS: usize = 15;
/// The text of which [`Bench::levelled`] makes levels.
const LEVELLED: &str = "levelled.jsonl";
/// The paper's objective, which AdaGrad minimises too, and whose operations are counted.
const PAPER: &str = "0";

impl Bench {
    pub(crate) fn training(&mut self, text: &Path) -> Result<(), String> {
        let (one, hundred) = self.tensors(text)?;
        let tensor = Tensor::open(&one).map_err(|e| e.to_string())?;
        self.roofline(&one, &tensor)?;
        self.against_adagrad(&one, &tensor)?;
        self.training_threads(&one)?;
        self.training_levels(&one, &hundred)?;
        self.never_met(&one)?;
        self.training_memory(&hundred)?;
        self.training_and_counting()
    }

    /// The first of the text, its lines in one level, in five and in a hundred.
    pub(crate) fn levelled(&self, text: &Path) -> Result<PathBuf, String> {
        let whole = std::fs::read_to_string(text).map_err(|e| e.to_string())?;
        let mut lines = String::new();
        for (index, line) in whole.lines().enumerate() {
            if lines.len() > TEXT {
                break;
            }
            let line = serde_json::Value::from(line);
            let (five, level) = (index % 5, index % 100);
            lines += &format!(
                "{{\"one\": \"0\", \"five\": \"{five}\", \"hundred\": \"{level}\", \"text\": {line}}}\n"
            );
        }
        let corpus = self.path(LEVELLED);
        std::fs::write(&corpus, lines).map_err(|e| e.to_string())?;
        Ok(corpus)
    }

    /// Tensors of the same text, with one level and with a hundred.
    fn tensors(&self, text: &Path) -> Result<(PathBuf, PathBuf), String> {
        let corpus = self.levelled(text)?;
        let mut made = Vec::new();
        for factor in ["one", "hundred"] {
            let output = self.path(factor);
            let mut command = Command::new(&self.covec);
            command.arg("count").arg(&corpus).arg("-o").arg(&output);
            run(command.args(["--by", factor, "--force", "-q"]))?;
            made.push(output);
        }
        Ok((made[0].clone(), made[1].clone()))
    }

    /// Seconds of one sweep.
    fn sweep(
        &self,
        tensor: &Path,
        threads: usize,
        dim: &str,
        chance: &str,
    ) -> Result<Cost, String> {
        let flags = [("sweeps", "6"), ("dim", dim), ("chance", chance)];
        let laps = laps(tensor, &self.path("model"), threads, &flags)?;
        Ok(Cost { seconds: laps.sweep(), megabytes: 0.0 })
    }

    /// What a whole sweep reaches of the bound that cache bandwidth and arithmetic set.
    fn roofline(&mut self, path: &Path, tensor: &Tensor) -> Result<(), String> {
        let peak = roofline::peak();
        let caches = [("16 KB", 16 << 10), ("512 KB", 512 << 10), ("8 MB", 8 << 20)]
            .map(|(name, bytes)| format!("{name} {:.0} GB/s", roofline::bandwidth(bytes, 104)));
        eprintln!("one core: {peak:.0} GFLOP/s; rows of 104 numbers out of {}", caches.join(", "));
        for dim in [100_usize, 300] {
            let row = dim.next_multiple_of(8);
            let bytes = tensor.vocabulary.len() * row * 4;
            let read = roofline::bandwidth(bytes, row);
            // Either pass reads a row once; what takes longer, reading or arithmetic, bounds it.
            let numbers = tensor.record.entries.stored as f64 * row as f64;
            let least = |operations: f64| (4.0 / read).max(operations / peak) * numbers / 1e9;
            let bound = FOLDS * least(4.0) + DOTS * least(2.0);
            let cost = self.sweep(path, 1, &dim.to_string(), PAPER)?;
            let rate = |seconds: f64| numbers * (4.0 * FOLDS + 2.0 * DOTS) / seconds / 1e9;
            let what = format!("a sweep, 1 thread, dimension {dim} / roofline");
            let measured = format!(
                "{:.1} GFLOP/s, {:.3} s; bound {:.1}, {bound:.3} s (arithmetic {peak:.0}, vectors of {:.1} MB at {read:.0} GB/s: {:.0} for a dot product and a sum, {:.0} for a dot product)",
                rate(cost.seconds),
                cost.seconds,
                rate(bound),
                bytes as f64 / 1e6,
                peak.min(read),
                peak.min(read / 2.0),
            );
            self.row(&what, measured, bound / cost.seconds, "≥ 0.5");
        }
        Ok(())
    }

    /// Time to the loss at which AdaGrad ends.
    fn against_adagrad(&mut self, path: &Path, tensor: &Tensor) -> Result<(), String> {
        let (theirs, loss) = adagrad::train(tensor, 100, EPOCHS)?;
        let flags = [("sweeps", "15"), ("held_out", "0"), ("chance", PAPER)];
        let laps = laps(path, &self.path("model"), 2, &flags)?;
        let below = laps.0.iter().position(|lap| lap.1 <= loss);
        let sweeps = 1 + below.ok_or("covec did not reach AdaGrad's loss in 15 sweeps")?;
        let (ours, reached) = laps.0[sweeps - 1];
        let measured = format!(
            "AdaGrad {EPOCHS} epochs {theirs:.1} s to {loss:.5}; covec {sweeps} sweeps {ours:.1} s to {reached:.5}"
        );
        self.row("time to AdaGrad's loss / AdaGrad's time", measured, ours / theirs, "≤ 0.2");
        Ok(())
    }

    fn training_threads(&mut self, path: &Path) -> Result<(), String> {
        let (ratio, measured) =
            pairs(|| self.sweep(path, 1, "100", "auto"), || self.sweep(path, 2, "100", "auto"))?;
        self.row("a sweep with 1 thread / 2 threads", measured, ratio, "≥ 1.8");
        Ok(())
    }

    fn training_levels(&mut self, one: &Path, hundred: &Path) -> Result<(), String> {
        let entries = |path: &Path| -> Result<f64, String> {
            let tensor = Tensor::open(path).map_err(|e| e.to_string())?;
            Ok(tensor.record.entries.stored as f64)
        };
        let more = entries(hundred)? / entries(one)?;
        let (ratio, measured) =
            pairs(|| self.sweep(hundred, 2, "100", "auto"), || self.sweep(one, 2, "100", "auto"))?;
        let measured = format!("{measured}; {more:.2} times the entries");
        self.row("a sweep with 100 levels / 1 level, per entry", measured, ratio / more, "≤ 1.25");
        Ok(())
    }

    /// What pairs that never met add to a sweep.
    fn never_met(&mut self, path: &Path) -> Result<(), String> {
        let (ratio, measured) =
            pairs(|| self.sweep(path, 2, "100", "auto"), || self.sweep(path, 2, "100", PAPER))?;
        self.row("a sweep / the same with --chance 0", measured, ratio, "small");
        Ok(())
    }

    /// From tensor to model with defaults, against counting the same text.
    fn training_and_counting(&mut self) -> Result<(), String> {
        let (corpus, tensor) = (self.path(LEVELLED), self.path("five"));
        let count = || {
            let mut command = Command::new(&self.covec);
            command.arg("count").arg(&corpus).arg("-o").arg(&tensor);
            run(command.args(["--by", "five", "--force", "-q"]))
        };
        let train = || {
            let mut command = Command::new(&self.covec);
            command.arg("train").arg(&tensor).arg("-o").arg(self.path("model"));
            run(command.args(["--force", "-q"]))
        };
        count()?;
        let (ratio, measured) = pairs(train, count)?;
        self.row("training with defaults, 5 levels / counting", measured, ratio, "≤ 20");
        Ok(())
    }

    fn training_memory(&mut self, path: &Path) -> Result<(), String> {
        let tensor = Tensor::open(path).map_err(|e| e.to_string())?;
        let mut command = Command::new(&self.covec);
        command.arg("train").arg(path).arg("-o").arg(self.path("model"));
        let cost = run(command.args("--force -q --sweeps 2 --threads 2".split(' ')))?;
        // Vectors, and a bias in every level.
        let numbers = (tensor.vocabulary.len() * (100 + tensor.covariates.cells.len())) as f64;
        let bound = 12.0 * tensor.record.entries.stored as f64 + 3.0 * 4.0 * numbers;
        let measured = format!("{:.0} MB; bound {:.0} MB", cost.megabytes, bound / 1e6);
        let what = "peak memory of training / (12 bytes an entry + 3 × parameters)";
        self.row(what, measured, cost.megabytes / (bound / 1e6), "≤ 1");
        Ok(())
    }
}
