//! The methods that are compared, each as the recipe of a model.

use super::desk::Desk;
use super::made::Made;

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Cover,
    /// The same with half the weight on pairs that never met.
    CoverLessChance,
    /// Every level by itself.
    Slices,
    /// The same with the ridge that does best on the test sets, which is not known beforehand.
    SlicesTuned,
    SEfe,
    /// All levels as one.
    Pooled,
    /// The same with the best ridge.
    PooledTuned,
}

impl Method {
    /// Those that word tests are put to.
    pub const ALL: [Self; 6] =
        [Self::Cover, Self::Slices, Self::SlicesTuned, Self::SEfe, Self::Pooled, Self::PooledTuned];

    /// As tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cover => "CoVeR",
            Self::CoverLessChance => "CoVeR, chance 1",
            Self::Slices => "slices",
            Self::SlicesTuned => "slices, ridge 0.2",
            Self::SEfe => "S-EFE",
            Self::Pooled => "pooled",
            Self::PooledTuned => "pooled, ridge 0.02",
        }
    }

    /// The command that makes it, its model's name, and what is not left at its default.
    fn command(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::Cover => ("train", "cover", &[]),
            Self::CoverLessChance => ("train", "cover-chance-1", &["--chance", "1"]),
            Self::Slices => ("baseline slices", "slices", &[]),
            Self::SlicesTuned => ("baseline slices", "slices-tuned", &["--ridge", "0.2"]),
            Self::SEfe => ("baseline s-efe", "s-efe", &[]),
            Self::Pooled => ("baseline pooled", "pooled", &[]),
            Self::PooledTuned => ("baseline pooled", "pooled-tuned", &["--ridge", "0.02"]),
        }
    }

    /// The model of this method.
    pub fn model(self, desk: &Desk, text: &Text, seed: u64) -> Made {
        let (command, name, own) = self.command();
        let (name, number) = (text.model(name, seed), seed.to_string());
        let seed = ["--seed", &number];
        if self == Self::SEfe {
            let size: &[&str] = if desk.quick { &["--dim", "8", "--epochs", "1"] } else { &[] };
            let flags = [&seed[..], size].concat();
            return Made::by(name, command, &text.corpus, &flags).with("--tensor", &text.tensor);
        }
        Made::by(name, command, &text.tensor, &[&sizes(desk)[..], &seed, own].concat())
    }
}

/// A topic model of the levels.
pub fn lda(desk: &Desk, text: &Text, topics: u64, seed: u64) -> Made {
    let (topics, number) = (topics.to_string(), seed.to_string());
    let name = text.model(&format!("LDA-{topics}"), seed);
    let mut flags = vec!["--topics", &topics, "--seed", &number];
    if desk.quick {
        flags.extend(["--epochs", "5"]);
    }
    Made::by(name, "baseline lda", &text.corpus, &flags).with("--tensor", &text.tensor)
}

/// What models are made of.
pub struct Text {
    /// The folder its models lie in.
    pub home: String,
    pub corpus: Made,
    pub tensor: Made,
}

impl Text {
    /// Where a model lies; other seeds than the first lie by themselves.
    pub fn model(&self, name: &str, seed: u64) -> String {
        let seed = if seed == 1 { String::new() } else { format!("seed-{seed}/") };
        format!("{}/{seed}{}", self.home, name.to_lowercase())
    }
}

/// A first look wants little.
pub fn sizes(desk: &Desk) -> Vec<&'static str> {
    if desk.quick { vec!["--dim", "8", "--sweeps", "4"] } else { Vec::new() }
}
