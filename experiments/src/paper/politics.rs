//! The corpora of politics: their texts, and the words they are asked about.

use super::desk::Desk;
use super::made::Made;
use super::methods::Text;
use super::world;

/// A corpus, and what it is asked.
pub struct Asked {
    pub title: &'static str,
    pub text: Text,
    pub levels: &'static [&'static str],
    pub words: Vec<String>,
    /// Two words, and the level in which they moved.
    pub pairs: Vec<([String; 2], String)>,
    pub analogies: Vec<[String; 3]>,
}

/// Reddit posts by community.
pub fn reddit() -> Text {
    by("reddit", "reddit_politics7", &["--by", "community"])
}

/// A corpus of politics, counted by some factors.
pub fn by(home: &str, file: &str, flags: &[&str]) -> Text {
    let corpus = Made::given(format!("data/politics/{file}.jsonl"));
    let tensor = Made::by(format!("{home}/tensor"), "count", &corpus, flags);
    Text { home: home.to_owned(), corpus, tensor }
}

/// All three corpora.
pub fn asked(desk: &Desk) -> Result<Vec<Asked>, String> {
    if desk.quick {
        return world::asked(desk);
    }
    let congress = by("congress", "congress6_small", &["--by", "community"]);
    let union = by("union", "sotu", &["--by", "era"]);
    Ok(vec![
        new(
            "Reddit, by community",
            reddit(),
            &["community=left", "community=right", "community=atheism", "community=religion"],
            "gun freedom believe",
            &["gun control community=right", "god republican community=left"],
            &["man woman men", "liberal left conservative", "obama democrat romney"],
        ),
        new(
            "Congress, by party and congress",
            congress,
            &["community=D-115", "community=D-117", "community=R-115", "community=R-117"],
            "border tax health",
            &["trump biden community=R-117", "costs lower community=D-117"],
            &["man woman men", "democrats biden republicans", "texas houston florida"],
        ),
        new(
            "State of the Union, by era",
            union,
            &["era=1790-1860", "era=1861-1912", "era=1946-1980", "era=1981-2026"],
            "labor security freedom",
            &["security social era=1981-2026", "labor capital era=1861-1912"],
            &["great britain france", "war peace army"],
        ),
    ])
}

/// Words in a line each.
pub fn new(
    title: &'static str,
    text: Text,
    levels: &'static [&'static str],
    words: &str,
    pairs: &[&str],
    analogies: &[&str],
) -> Asked {
    let pair = |line: &&str| match line.split(' ').collect::<Vec<_>>()[..] {
        [a, b, level] => Some(([a, b].map(str::to_owned), level.to_owned())),
        _ => None,
    };
    let analogy = |line: &&str| match line.split(' ').collect::<Vec<_>>()[..] {
        [a, b, c] => Some([a, b, c].map(str::to_owned)),
        _ => None,
    };
    Asked {
        title,
        text,
        levels,
        words: words.split(' ').map(str::to_owned).collect(),
        pairs: pairs.iter().filter_map(pair).collect(),
        analogies: analogies.iter().filter_map(analogy).collect(),
    }
}
