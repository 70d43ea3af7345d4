//! `covec report`: one page with everything, the same bytes every time, or a refusal.
#![allow(clippy::unwrap_used)]

mod common;

use common::Home;

const SECTIONS: [&str; 12] = [
    "corpus",
    "levels",
    "parameters",
    "fit",
    "fit-levels",
    "alike",
    "topics",
    "moved",
    "specificity",
    "sparsity",
    "words",
    "choice-1-0",
];

fn read(home: &Home, name: &str) -> String {
    std::fs::read_to_string(home.path(name)).unwrap()
}

/// The page without what is the same in every report.
fn body(page: &str) -> &str {
    &page[page.find("<main>").unwrap()..page.find("</main>").unwrap()]
}

fn word(home: &Home, place: usize) -> String {
    let rows = home.ok("info m --show words --format csv -n 20");
    rows.lines().nth(place + 1).unwrap().split(',').nth(1).unwrap().to_owned()
}

#[test]
fn every_section_is_there_and_the_contents_lead_to_it() {
    let home = Home::with_corpus();
    let (a, b) = (word(&home, 4), word(&home, 5));
    home.ok(&format!("report m -o r.html --words {a},{b},{a} --corpus c.jsonl --tensor t -q"));
    let page = read(&home, "r.html");
    for id in SECTIONS {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    for word in [&a, &b] {
        let heading = format!("id=\"word-{word}\"");
        assert_eq!(page.matches(&heading).count(), 1, "{heading}");
        assert!(page.contains(&format!("href=\"#word-{word}\">{word}</a>")));
    }
    let ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|p| p.split('"').next().unwrap()).collect();
    for link in body(&page).split("href=\"#").skip(1).map(|p| p.split('"').next().unwrap()) {
        assert!(ids.contains(&link), "nothing at #{link}");
    }
    assert!(page.contains("<mark>"), "evidence");
    assert!(page.contains("axes turned at random"), "coherence");
    assert!(page.contains("--dim"), "parameters that differ");
    // Scripts and styles are within; nothing is fetched.
    assert_eq!(page.matches("plotly.js v").count(), 1, "plotly.js once");
    for fetched in ["src=\"", "<link", "@import", "url(http"] {
        assert!(!body(&page).contains(fetched), "{fetched}");
    }
}

#[test]
fn what_is_not_given_is_not_there_and_words_are_chosen() {
    let home = Home::with_corpus();
    home.ok("report m -o r.html -q");
    let page = read(&home, "r.html");
    assert!(!page.contains("<mark>") && !page.contains("turned at random"));
    assert!(page.contains("id=\"word-"), "words that moved most");
    assert!(page.contains("not known which dimensions another run would find again"));
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let home = Home::with_corpus();
    home.ok("report m -o one.html --threads 1 --corpus c.jsonl --tensor t -q");
    home.ok("report m -o two.html --threads 2 --corpus c.jsonl --tensor t -q");
    assert!(read(&home, "one.html") == read(&home, "two.html"), "bytes differ");
}

#[test]
fn with_replicates_its_numbers_have_error_bars_and_without_it_says_how_to_get_them() {
    let home = Home::with_corpus();
    home.ok("report m -o bare.html -q");
    let bare = read(&home, "bare.html");
    assert!(body(&bare).contains("covec bootstrap draws the documents again"));
    assert!(!body(&bare).contains("<small>["));
    home.ok("bootstrap c.jsonl --model m -B 19 --afresh 6 -o boot -q");
    home.ok("permute c.jsonl --model m -B 9 --afresh 3 -o shuffled -q");
    let known = word(&home, 3);
    let sure = format!("--boot boot --boot shuffled --confidence 0.9 --words {known} -q");
    home.ok(&format!("report m -o one.html --threads 1 {sure}"));
    home.ok(&format!("report m -o two.html --threads 2 {sure}"));
    let page = read(&home, "one.html");
    assert!(page == read(&home, "two.html"), "bytes differ");
    let page = body(&page);
    for told in [
        "90 % of 19 draws of the documents",
        "from 9 shuffles",
        "moved by more than chance",
        ">q</th>",
        "in what share of the draws",
    ] {
        assert!(page.contains(told), "{told}");
    }
    // Every section that tells numbers of levels tells how sure they are.
    for (from, to) in [
        ("alike", "topics"),
        ("topics", "moved"),
        ("moved", "specificity"),
        ("specificity", "sparsity"),
    ] {
        let at = |id: &str| page.find(&format!("id=\"{id}\"")).unwrap();
        assert!(page[at(from)..at(to)].contains("<small>["), "{from}");
    }
    home.refused("report m -o r.html --boot boot", &["39"]);
    home.ok("train t --dim 5 --sweeps 2 --ridge 0.1 -o other -q");
    home.refused("report other -o r.html --boot boot --confidence 0.9", &["boot", "model"]);
    assert!(!home.path("r.html").exists());
}

#[test]
fn hostile_names_are_texts() {
    let home = Home::new();
    home.ok("synth -o c.jsonl --tokens 60000 --words 200 --dim 4 --levels 3 --differing 4 -q");
    let corpus = read(&home, "c.jsonl")
        .replace("\"group-1\"", "\"</script><script>alert(1)</script>\"")
        .replace("\"group-2\"", "\"<img src=x onerror=alert(2)>\"")
        .replace("\"group-3\"", "\"a&b\\\" onload='x'\"");
    home.write("c.jsonl", corpus);
    home.ok("count c.jsonl --by group -o t -q");
    home.ok("train t --dim 6 --sweeps 3 --ridge 0.1 -o m<b> -q");
    home.ok("report m<b> -o r.html --corpus c.jsonl -q");
    let page = read(&home, "r.html");
    let body = body(&page);
    assert!(body.contains("&lt;img src=x onerror=alert(2)&gt;"), "shown as it is");
    for markup in ["<script>alert", "<img", "m<b>"] {
        assert!(!body.contains(markup), "{markup}");
    }
}

#[test]
fn words_of_any_spelling_can_be_asked_for() {
    let home = Home::new();
    let line = "{\"text\": \"<b>& x'y naïve <b>& x'y naïve <b>& naïve\", \"g\": \"G\"}\n";
    home.write("c.jsonl", line.repeat(60) + &line.repeat(60).replace("\"G\"", "\"H\""));
    home.ok("count c.jsonl --by g --tokens whitespace --min-count 1 -o t -q");
    home.ok("train t --dim 2 --sweeps 2 --ridge 0.1 -o m -q");
    home.ok("report m -o r.html --words <b>&,naïve -q");
    let page = read(&home, "r.html");
    assert!(page.contains("id=\"word-1\">&lt;b&gt;&amp;") && page.contains("id=\"word-2\">naïve"));
    assert!(!body(&page).contains("<b>&"));
}

#[test]
fn rare_words_and_a_model_without_levels_are_told_as_such() {
    let home = Home::with_corpus();
    home.ok(&format!("report m -o r.html --min-support 1000000 --words {} -q", word(&home, 3)));
    assert!(read(&home, "r.html").contains("Too rare to say"));
    home.ok("count c.jsonl -o t1 -q");
    home.ok("train t1 --dim 6 --sweeps 3 --ridge 0.1 -o m1 -q");
    home.ok(&format!("report m1 -o r1.html --words {} -q", word(&home, 3)));
    let page = read(&home, "r1.html");
    for told in
        ["counted without covariates", "Without levels nothing can be compared", "Nearest words"]
    {
        assert!(page.contains(told), "{told}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_nothing_is_left_behind() {
    let home = Home::with_corpus();
    let known = word(&home, 3);
    home.refused("report m -o no/r.html", &["no folder no", "mkdir -p"]);
    home.refused("report m -o r.pdf", &["ends in .html"]);
    home.refused(&format!("report m -o r.html --words {known},{known}x"), &["did you mean"]);
    home.refused("report t -o r.html", &["not a model folder"]);
    home.refused("report nothing -o r.html", &["nothing"]);
    home.refused("report m -o r.html --tensor m", &["m"]);
    assert_eq!(home.covec("report m -o r.html -n 0").status.code(), Some(2));
    home.refused("report m -o r.html --corpus nothing.jsonl", &["nothing.jsonl"]);
    home.write(
        "other.jsonl",
        "{\"text\": \"none of them\", \"group\": \"group-1\", \"period\": \"period-1\"}\n",
    );
    home.refused(
        "report m -o r.html --corpus other.jsonl",
        &["the corpus the model was counted from"],
    );
    home.write("r.html", "mine");
    home.refused("report m -o r.html", &["already there", "--force"]);
    assert_eq!(read(&home, "r.html"), "mine");
    std::fs::create_dir(home.path("folder.html")).unwrap();
    home.refused("report m -o folder.html --force", &["is a folder"]);
    home.ok("report m -o r.html --force -q");
    assert!(read(&home, "r.html").starts_with("<!DOCTYPE html>"));
}
