//! The methods that are compared, each as the recipe of a model.

use super::desk::Desk;
use super::made::Made;
use super::shelf::BY;

/// A method, as tables call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Cover,
    /// Every level by itself.
    Slices,
    SEfe,
    /// All levels as one.
    Pooled,
}

impl Method {
    pub const ALL: [Self; 4] = [Self::Cover, Self::Slices, Self::SEfe, Self::Pooled];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cover => "CoVeR",
            Self::Slices => "slices",
            Self::SEfe => "S-EFE",
            Self::Pooled => "pooled",
        }
    }

    /// The model of this method.
    pub fn model(self, desk: &Desk, text: &Text, seed: u64) -> Made {
        let (name, number) = (text.model(self.name(), seed), seed.to_string());
        let size = sizes(desk);
        match self {
            Self::Cover => {
                let flags = [&size[..], &["--seed", &number]].concat();
                Made::by(name, "train", &text.tensor, &flags)
            }
            Self::Slices | Self::Pooled => {
                let flags = [&size[..], &["--seed", &number]].concat();
                let command = format!("baseline {}", self.name());
                Made::by(name, &command, &text.tensor, &flags)
            }
            Self::SEfe => {
                let size: &[&str] = if desk.quick { &["--dim", "8", "--epochs", "1"] } else { &[] };
                let flags = [&["--by", BY, "--seed", &number], size].concat();
                let words = Made::words(&text.tensor);
                Made::by(name, "baseline s-efe", &text.corpus, &flags).with("--words", &words)
            }
        }
    }
}

/// A topic model of the levels.
pub fn lda(desk: &Desk, text: &Text, topics: u64, seed: u64) -> Made {
    let (topics, number) = (topics.to_string(), seed.to_string());
    let name = text.model(&format!("LDA-{topics}"), seed);
    let mut flags = vec!["--by", BY, "--topics", &topics, "--seed", &number];
    if desk.quick {
        flags.extend(["--epochs", "5"]);
    }
    let words = Made::words(&text.tensor);
    Made::by(name, "baseline lda", &text.corpus, &flags).with("--words", &words)
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
