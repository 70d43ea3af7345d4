//! What everything stands on: the corpora, their levels, words and counts.

use serde_json::Value;

use super::clustering::SETS;
use super::desk::Desk;
use super::made::Made;
use super::page::Section;
use super::politics::by;
use super::shelf::Shelf;

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("The texts");
    let mut all: Vec<(String, Made)> = Vec::new();
    for set in SETS {
        let shelf = Shelf::open(desk, set)?;
        all.push((format!("`{set}`, words common to all series"), shelf.tensor()));
        if set == SETS[0] {
            all.push((format!("`{set}`, large vocabulary"), shelf.large()));
        }
    }
    for (name, home, file, factor) in [
        ("reddit posts, by community", "reddit", "reddit_politics7", "community"),
        (
            "tweets of members of Congress, by party and congress",
            "congress",
            "congress6_small",
            "community",
        ),
        ("State of the Union addresses, by era", "union", "sotu", "era"),
    ] {
        all.push((name.to_owned(), by(home, file, &["--by", factor]).tensor));
    }
    let mut rows = Vec::new();
    for (name, tensor) in all {
        let facts = desk.ask(&tensor, "info", &[])?;
        let levels = desk.ask(&tensor, "info", &["--show", "levels"])?;
        let (Some(facts), Some(levels)) = (facts, levels) else { continue };
        let fact = |what: &str, word: usize| {
            let own = facts.as_array().into_iter().flatten().find(|row| row["what"] == what);
            let text = own.and_then(|row| row["value"].as_str()).unwrap_or_default();
            text.split(' ').nth(word).unwrap_or("–").trim_end_matches(',').to_owned()
        };
        rows.push(vec![
            name,
            levels.as_array().map_or(0, Vec::len).to_string(),
            fact("corpus", 0),
            fact("corpus", 2),
            fact("vocabulary", 0),
            fact("entries", 0),
            smallest(&levels),
        ]);
    }
    let head = [
        "corpus",
        "levels",
        "documents",
        "words",
        "vocabulary",
        "entries of the tensor",
        "words of the smallest and the largest level",
    ];
    section.write(
        "`twin29L` has the shape of the paper's set of books: 29 novels by four authors, in series of seven, three, seven, five and four, and \
         single ones; `twin29` has other books in place of the longest; `multi41` is harder: 41 novels by six authors in 15 series. They are \
         out of copyright, as is the State of the Union; the paper's own books and posts cannot be given away.",
    );
    section.table("Sizes", "", &head, &rows);
    Ok(section.close(desk))
}

fn smallest(levels: &Value) -> String {
    let words = levels.as_array().into_iter().flatten().filter_map(|row| row["words"].as_u64());
    let words: Vec<u64> = words.collect();
    let told =
        |words: Option<&u64>| words.map_or("–".to_owned(), |&n| covec_report::thousands(n));
    format!("{} to {}", told(words.iter().min()), told(words.iter().max()))
}
