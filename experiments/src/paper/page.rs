//! The page: sections of Markdown with their pictures, and a check-list in front.

use std::collections::BTreeSet;
use std::path::Path;

use covec_report::Chart;

use super::desk::Desk;

/// A section of the page.
#[derive(Default)]
pub struct Section {
    pub title: String,
    text: String,
    /// By name, as SVG.
    pictures: Vec<(String, String)>,
    pub checks: Vec<Check>,
    commands: Vec<String>,
    shortfalls: BTreeSet<String>,
}

/// Something that should come out.
pub struct Check {
    pub claim: String,
    /// What was measured.
    pub measured: String,
    /// None where it was not measured.
    pub holds: Option<bool>,
}

impl Section {
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A paragraph, or a table that ends in an empty line.
    pub fn write(&mut self, text: &str) {
        self.text += text.trim_end();
        self.text += "\n\n";
    }

    /// A table under a heading of its own.
    pub fn table(&mut self, title: &str, about: &str, head: &[&str], rows: &[Vec<String>]) {
        self.write(&crate::table::section(title, about, head, rows));
    }

    /// A picture, if it was drawn.
    pub fn picture(&mut self, name: &str, alt: &str, svg: Option<String>) {
        if let Some(svg) = svg {
            self.write(&format!("![{alt}](results/{name}.svg)"));
            self.pictures.push((name.to_owned(), svg));
        }
    }

    pub fn chart(&mut self, name: &str, alt: &str, chart: &Chart) {
        self.picture(name, alt, Some(chart.svg()));
    }

    pub fn check(&mut self, claim: &str, measured: impl Into<String>, holds: Option<bool>) {
        self.checks.push(Check { claim: claim.to_owned(), measured: measured.into(), holds });
    }

    /// Takes down which commands were run, and what fell short.
    pub fn close(mut self, desk: &mut Desk) -> Self {
        (self.commands, self.shortfalls) = desk.told();
        self
    }

    /// The text; of commands only those that no other section told.
    fn markdown(&self, told: &mut BTreeSet<String>) -> String {
        let mut text = format!("## {}\n\n{}", self.title, self.text);
        if !self.shortfalls.is_empty() {
            text += "What fell short here:\n\n";
            text.extend(self.shortfalls.iter().map(|told| format!("* {told}\n")));
            text += "\n";
        }
        let lines: Vec<&String> =
            self.commands.iter().filter(|line| told.insert(alike(line))).collect();
        if !lines.is_empty() {
            text += "<details><summary>Commands (for the first seed, the first book, and not told above)</summary>\n\n";
            text.extend(lines.iter().map(|line| format!("    {line}\n")));
            text += "\n</details>\n\n";
        }
        text
    }
}

/// What a command has in common with those for other seeds, other books and other parts of them: the first stands for all.
fn alike(line: &str) -> String {
    let line = line.split_once(" --in book=").map_or(line, |(start, _)| start);
    let words = line.split(' ').scan("", |last, word| {
        let seed = std::mem::replace(last, word) == "--seed";
        Some(if seed { "N" } else { word })
    });
    let folder = |part: &str| match part {
        _ if part.starts_with("seed-") => String::new(),
        _ if part.starts_with("part-") => "part/".to_owned(),
        _ => format!("{part}/"),
    };
    let word = |word: &str| word.split('/').map(folder).collect::<String>();
    words.map(word).collect::<Vec<_>>().join(" ")
}

/// Writes `RESULTS.md` and `results/*.svg` into a folder; the text.
pub fn write(folder: &Path, head: &str, sections: &[Section]) -> Result<String, String> {
    let fail = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let pictures = folder.join("results");
    std::fs::create_dir_all(&pictures).map_err(|e| fail(&pictures, e))?;
    let mut text = format!("{head}\n## What should come out, and did\n\n");
    text += "| what should come out | measured | |\n|---|---|---|\n";
    for check in sections.iter().flat_map(|section| &section.checks) {
        let holds = match check.holds {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "not measured",
        };
        text += &format!("| {} | {} | {holds} |\n", check.claim, check.measured);
    }
    text += "\n";
    let mut told = BTreeSet::new();
    text.extend(sections.iter().map(|section| section.markdown(&mut told)));
    let text = format!("{}\n", text.trim_end());
    for (name, svg) in sections.iter().flat_map(|section| &section.pictures) {
        let path = pictures.join(format!("{name}.svg"));
        std::fs::write(&path, svg).map_err(|e| fail(&path, e))?;
    }
    let path = folder.join("RESULTS.md");
    std::fs::write(&path, &text).map_err(|e| fail(&path, e))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_differ_by_seed_book_or_part_are_alike() {
        let [first, second, other] = [
            "covec train x/tensor --seed 1 -o x/models/cover",
            "covec train x/tensor --seed 2 -o x/models/seed-2/cover",
            "covec train x/tensor --seed 2 -o x/models/seed-2/slices",
        ]
        .map(alike);
        assert_eq!(first, second);
        assert_ne!(first, other);
        let [first, second] =
            ["covec eval part-8/m --in book=a x.csv", "covec eval part-4/m --in book=b"].map(alike);
        assert_eq!(first, second);
    }
}
