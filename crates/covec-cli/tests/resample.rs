//! Bootstrap, permutations, and answers with error bars, as users have them.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, names, text};
use serde_json::Value;

/// Rows that were printed as JSON.
fn rows(printed: &str) -> Vec<Value> {
    serde_json::from_str(printed).unwrap()
}

/// Speeches of eight speakers, each of one party, in two years: the corpus, and a model by party.
fn speeches() -> Home {
    let home = Home::new();
    let mut lines = String::new();
    for speech in 0..160 {
        let speaker = speech % 8;
        let party = if speaker < 4 { "left" } else { "right" };
        let tax = if speaker < 4 { "tax the rich fairly" } else { "tax nobody at all" };
        let year = 1990 + speech / 80;
        let topic = ["the war and peace", "the farm and field", "the school and child"][speech % 3];
        lines += &format!(
            "{{\"text\": \"we speak of {topic} and we {tax} in {topic} always\", \"party\": \"{party}\", \
             \"speaker\": \"s{speaker}\", \"year\": {year}}}\n"
        );
    }
    home.write("c.jsonl", lines);
    home.ok("fit c.jsonl --by party --min-count 1 --dim 4 --sweeps 3 --ridge 0.1 -o m -q");
    home
}

#[test]
fn replicates_are_added_to_merged_and_never_drawn_twice() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m -B 2 --afresh 3 -o boot -q");
    let first = std::fs::read(home.path("boot/replicate-00001.safetensors")).unwrap();
    let told = text(&home.covec("bootstrap c.jsonl --model m -B 4 --afresh 3 -o boot").stderr);
    assert!(told.contains("2 replicates, 2 were there already"), "{told}");
    assert!(told.contains("use it from 39 replicates on"), "{told}");
    // The plan, the reference, four draws and two fits from the start.
    assert_eq!(names(&home.path("boot")).len(), 8);
    // On other machines, with other threads, and put together.
    home.ok("bootstrap c.jsonl --model m --afresh 3 --replicates 0..2 -o one -q --threads 1");
    home.ok("bootstrap c.jsonl --model m --afresh 3 --replicates 2..4 -o two -q --threads 3 --memory 1M");
    home.ok("merge one two -o both -q");
    for name in names(&home.path("boot")) {
        let read = |folder: &str| std::fs::read(home.path(folder).join(&name)).unwrap();
        assert_eq!(read("boot"), read("both"), "{name}");
    }
    assert_eq!(std::fs::read(home.path("both/replicate-00001.safetensors")).unwrap(), first);
}

#[test]
fn info_tells_what_replicates_there_are_and_what_they_are_enough_for() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m --unit speaker --replicates 0..3 -o boot -q");
    home.ok("bootstrap c.jsonl --model m --unit speaker --replicates 5..6 -o boot -q");
    let told = home.ok("info boot");
    for part in
        ["bootstrap", "4 (0–2, 5)", "8 units that agree in speaker", "39", "1, one draw in 12"]
    {
        assert!(told.contains(part), "no {part} in\n{told}");
    }
    home.ok("permute c.jsonl --model m -B 3 --afresh 0 -o shuffled -q");
    let facts = rows(&home.ok("info shuffled --format json"));
    let value = |what: &str| {
        let row = facts.iter().find(|row| row["what"] == what).unwrap();
        row["value"].as_str().unwrap().to_owned()
    };
    assert_eq!(value("what is drawn"), "160 documents exchange their levels of party");
    assert!(value("enough for").starts_with("p down to 0.25"));
    assert!(value("fitted from the start").starts_with("none"));
    home.refused("info boot --show words", &["folder of replicates", "expected: summary"]);
}

#[test]
fn a_folder_of_an_earlier_format_is_told_the_way_out() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m -B 1 -o boot -q");
    let run = home.path("boot/run.json");
    let mut plan: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&run).unwrap()).unwrap();
    let fields = plan.as_object_mut().unwrap();
    fields.remove("afresh").unwrap();
    fields.remove("sweeps").unwrap();
    fields["format"] = 2.into();
    std::fs::write(&run, plan.to_string()).unwrap();
    home.refused("drift m --in party=right --boot boot", &["its format is 2", "draw it again"]);
}

#[test]
fn what_was_drawn_for_another_run_is_refused_and_kept() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m -B 1 -o boot -q");
    let before = names(&home.path("boot"));
    home.refused(
        "bootstrap c.jsonl --model m -B 1 -o boot --seed 2",
        &["--seed was 1, now it is 2", "--force"],
    );
    home.refused("bootstrap c.jsonl --model m -B 1 -o boot --unit speaker", &["--unit was none"]);
    home.refused("permute c.jsonl --model m -B 1 -o boot", &["the command was bootstrap"]);
    assert_eq!(names(&home.path("boot")), before);
    home.refused(
        "bootstrap c.jsonl --model m -B 1 -o boot --sweeps 3",
        &["--sweeps was 2, now it is 3", "--force"],
    );
    home.ok("bootstrap c.jsonl --model m -B 1 -o boot --seed 2 --force -q");
    home.write("mine/letter.txt", "mine");
    home.refused("bootstrap c.jsonl --model m -B 1 -o mine", &["letter.txt"]);
    home.refused("bootstrap c.jsonl --model m -B 1 -o no/boot", &["mkdir -p no"]);
    home.refused("bootstrap c.jsonl --model m --replicates 5..2 -o x", &["0..50"]);
}

#[test]
fn a_corpus_or_units_that_do_not_fit_are_refused() {
    let home = speeches();
    let lines = std::fs::read_to_string(home.path("c.jsonl")).unwrap();
    home.write("less.jsonl", lines.lines().skip(1).collect::<Vec<_>>().join("\n"));
    home.refused(
        "bootstrap less.jsonl --model m -o b",
        &["not the corpus", "party=left", "expected"],
    );
    home.refused("bootstrap c.jsonl --model m -o b --unit speeker", &["speeker"]);
    // Years are of both parties.
    home.refused(
        "bootstrap c.jsonl --model m -o b --unit year",
        &["'1990'", "party=left", "party=right", "--within nothing"],
    );
    home.refused("permute c.jsonl --model m -o b --unit year", &["change its level"]);
    home.ok("bootstrap c.jsonl --model m -B 1 -o b --unit year --within nothing -q");
    home.ok(
        "fit c.jsonl --by speaker --min-count 1 --dim 4 --sweeps 2 --ridge 0.1 -o by-speaker -q",
    );
    let told = ["speaker=s0", "1 unit", "two or more"];
    home.refused("bootstrap c.jsonl --model by-speaker --unit party --within nothing -o c", &told);
    home.ok(
        "fit c.jsonl --by party --by year:1 --min-count 1 --dim 4 --sweeps 2 --ridge 0.1 -o two -q",
    );
    home.refused("permute c.jsonl --model two --factor year --unit speaker -o c", &["s0", "year="]);
    home.refused(
        "permute c.jsonl --model two --factor party --unit speaker -o c",
        &["--within nothing"],
    );
    home.ok(
        "permute c.jsonl --model two --factor party --unit speaker --within nothing -B 1 -o c -q",
    );
    home.refused(
        "permute c.jsonl --model two --factor party --within party -o d",
        &["within party"],
    );
    home.refused("permute c.jsonl --model two --factor partei -o d", &["did you mean 'party'"]);
    let one: Vec<String> = (0..2)
        .map(|speaker| {
            let line = lines.lines().find(|line| line.contains(&format!("s{speaker}")));
            line.unwrap().to_owned()
        })
        .collect();
    home.write("one.jsonl", one.join("\n"));
    home.ok("fit one.jsonl --by speaker --min-count 1 --dim 2 --sweeps 2 --ridge 0.1 -o few -q");
    home.refused("bootstrap one.jsonl --model few -o e", &[told[0], "1 document", told[2]]);
    home.refused("permute one.jsonl --model few --within speaker -o e", &["within speaker"]);
}

#[test]
fn every_analysis_has_intervals() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m --unit speaker -B 7 -o boot -q");
    home.refused("similarity m tax war --boot boot", &["7 replicates", "at least 39", "-B 39"]);
    let ask = |question: &str| {
        rows(&home.ok(&format!("{question} --boot boot --confidence 0.75 --format json -q")))
    };
    let within = |row: &Value, name: &str| {
        let at = |suffix: &str| row[format!("{name}{suffix}")].as_f64();
        if let (Some(low), Some(high)) = (at("_low"), at("_high")) {
            assert!(low <= high, "{row}");
            if let Some(corrected) = at("_corrected") {
                assert!(corrected >= 0.0 && low >= 0.0, "{row}");
            }
            return true;
        }
        false
    };
    for (question, name) in [
        ("similarity m tax war", "cosine"),
        ("specificity m", "specificity"),
        ("neighbors m tax", "cosine"),
        ("drift m --in left", "own"),
        ("drift m --in left", "topical"),
        ("drift m tax --in left", "ratio"),
        ("drift m --between left right --show pairs", "own"),
        ("project m tax --axis war:peace", "position"),
        ("covariates m", "distance"),
        ("covariates m --show distances", "distance"),
        ("topics m", "square"),
        ("explain m tax war --in left", "contribution"),
        ("analogy m war peace farm", "add"),
        ("sparsity m --show levels", "zeros"),
    ] {
        let rows = ask(question);
        assert!(rows.iter().any(|row| within(row, name)), "covec {question}: {rows:?}");
    }
    for row in ask("neighbors m tax") {
        let share = row["among_nearest"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share) && (share * 7.0 - (share * 7.0).round()).abs() < 1e-9);
    }
    // Pictures draw them: a band around a line, whiskers on bars, which are not there without replicates.
    let (band, whiskers) = ("fill-opacity=\"0.16\"", " to ");
    for (question, mark) in [
        ("similarity m tax war", band),
        ("project m tax --axis war:peace", band),
        ("drift m --in left -n 5", whiskers),
        ("drift m tax --in left -n 5", whiskers),
        ("explain m tax war --in left", whiskers),
        ("specificity m -n 5", whiskers),
        ("topics m --dim 1", whiskers),
    ] {
        let drawn = |boot: &str| {
            home.ok(&format!("{question}{boot} --plot p.svg -q"));
            let picture = std::fs::read_to_string(home.path("p.svg")).unwrap();
            let own = |line: &&str| line.contains("><title>") || line.contains(band);
            picture.lines().filter(own).collect::<Vec<_>>().join("\n")
        };
        let (with, without) = (drawn(" --boot boot --confidence 0.75"), drawn(""));
        assert!(with.contains(mark) && !without.contains(mark), "{question}: {with}\n{without}");
    }
    home.refused("topics m --boot boot --confidence 0.75 --plot p.svg", &["--dim"]);
    // The eye sees an interval in one cell; percentiles are asked for by name.
    let printed = home.ok("similarity m tax war --boot boot --confidence 0.75 -q");
    assert!(printed.contains(" [") && !printed.contains("cosine_low"), "{printed}");
    let of = |kind: &str| {
        let question = format!("similarity m tax war --interval {kind}");
        let row = ask(&question)[0].clone();
        [row["cosine_low"].as_f64().unwrap(), row["cosine_high"].as_f64().unwrap()]
    };
    let cosine = ask("similarity m tax war")[0]["cosine"].as_f64().unwrap();
    let (basic, percentile) = (of("basic"), of("percentile"));
    assert!((basic[0] + percentile[1] - 2.0 * cosine).abs() < 1e-9, "{basic:?} {percentile:?}");
    home.refused("similarity m tax war --boot boot --confidence 2", &["between 0.5 and 0.999"]);
    home.refused(
        "similarity m tax war --boot boot --boot boot --confidence 0.75",
        &["both of covec bootstrap"],
    );
    home.refused(
        "similarity m tax war --boot m",
        &["not a folder of replicates", "by covec train"],
    );
}

#[test]
fn shuffled_labels_give_p_and_q() {
    let home = speeches();
    home.ok("permute c.jsonl --model m -B 9 --afresh 3 -o shuffled -q");
    home.ok("permute c.jsonl --model m -B 9 --afresh 0 -o refits -q");
    let drift = "drift m --in left --boot shuffled --min-support 5 --format json -q -n 100";
    let found = rows(&home.ok(drift));
    let mut tested = 0;
    for row in &found {
        let (Some(p), Some(q)) = (row["p"].as_f64(), row["q"].as_f64()) else {
            assert_eq!(row["verdict"], "not tested: too rare elsewhere", "{row}");
            continue;
        };
        assert!(0.0 < p && p <= q + 1e-12 && q <= 1.0, "{row}");
        let nothing = row["verdict"].as_str().is_some();
        assert_eq!(nothing, q > 0.1, "{row}");
        tested += 1;
    }
    assert!(tested > 5);
    let scores: Vec<f64> = found.iter().filter_map(|row| row["score"].as_f64()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for row in rows(&home.ok("similarity m tax war --boot shuffled --format json -q")) {
        // The base is the same however labels lie.
        let p = row["cosine_p"].as_f64();
        assert_eq!(p.is_none(), row["level"] == "base", "{row}");
        let p = p.unwrap_or(1.0);
        assert!((p * 10.0 - (p * 10.0).round()).abs() < 1e-9 && p >= 0.1, "{row}");
    }
    for (folder, told) in
        [("shuffled", "what 3 fits from the start find"), ("refits", "a lower --afresh")]
    {
        let said =
            text(&home.covec(&format!("specificity m --boot {folder} --min-support 5")).stderr);
        assert!(said.contains(told), "{said}");
    }
    // What is wrong with them is told beside any format.
    let said =
        text(&home.covec("specificity m --boot refits --min-support 5 --format json").stderr);
    assert!(said.contains("a lower --afresh"), "{said}");
    home.refused("drift m --between left right --boot shuffled", &["one level"]);
    home.ok(
        "fit c.jsonl --by party --min-count 1 --dim 4 --sweeps 3 --seed 7 --ridge 0.1 -o other -q",
    );
    home.refused(
        "drift other --in left --boot shuffled",
        &["another model", "covec permute again"],
    );
}

/// q of p, by the book.
fn benjamini_hochberg(p: &[f64], tested: usize) -> Vec<f64> {
    let q = |own: f64| {
        let of = |other: &f64| {
            let rank = p.iter().filter(|x| *x <= other).count();
            other * tested as f64 / rank as f64
        };
        p.iter().filter(|other| **other >= own).map(of).fold(1.0, f64::min)
    };
    p.iter().map(|&own| q(own)).collect()
}

#[test]
fn q_is_over_all_that_was_tested_and_what_is_shown_makes_no_difference() {
    let home = speeches();
    home.ok("permute c.jsonl --model m -B 19 --afresh 6 -o shuffled -q");
    home.ok("bootstrap c.jsonl --model m -B 7 --afresh 2 -o boot -q");
    let ask = |question: &str| {
        rows(&home.ok(&format!("{question} --boot shuffled --min-support 5 --format json -q")))
    };
    let numbers = |rows: &[Value], name: &str| -> Vec<f64> {
        rows.iter().filter_map(|row| row[name].as_f64()).collect()
    };
    // Words of both levels together.
    let all = ask("drift m -n 1000");
    let (p, q) = (numbers(&all, "own_p"), numbers(&all, "own_q"));
    assert!(p.len() > 20 && p.len() == q.len());
    for (q, expected) in q.iter().zip(benjamini_hochberg(&p, p.len())) {
        assert!((q - expected).abs() < 1e-12, "{q} {expected}");
    }
    // The first of some hundred pairs were picked by how far they moved: none of 19 shuffles can make up for that.
    let pairs = ask("drift m --show pairs -n 3");
    assert!(pairs.len() > 3 && numbers(&pairs, "ratio_q").iter().all(|q| *q > 0.3), "{pairs:?}");
    let near = ask("neighbors m tax --in left -n 2");
    assert!(numbers(&near, "cosine_q").iter().all(|q| *q > 0.3), "{near:?}");
    let weights = |n: u32| {
        let question = format!(
            "topics m -n {n} --boot shuffled --boot boot --confidence 0.75 --format json -q"
        );
        rows(&home.ok(&question))
    };
    let (one, all) = (weights(1), weights(20));
    assert!(all.len() > one.len());
    assert_eq!(one[..], all[..one.len()]);
    assert!(one[0]["words"].as_str().unwrap().contains(" | "), "{one:?}");
}

#[test]
fn shuffles_of_one_factor_say_nothing_of_another() {
    let home = speeches();
    home.ok(
        "fit c.jsonl --by party --by year:1 --min-count 1 --dim 4 --sweeps 2 --ridge 0.1 -o two -q",
    );
    home.ok("permute c.jsonl --model two --factor party -B 9 --afresh 0 -o shuffled -q");
    let has_p = |question: &str| {
        let out = home.covec(&format!("{question} --boot shuffled --format json"));
        assert!(out.status.success(), "{}", text(&out.stderr));
        let rows = rows(&text(&out.stdout));
        let fields = |row: &Value| row.as_object().unwrap().keys().any(|name| name.ends_with("_p"));
        (rows.iter().any(fields), text(&out.stderr).contains("labels of party were shuffled"))
    };
    for question in
        ["specificity two --min-support 5", "covariates two --show distances", "topics two"]
    {
        assert_eq!(has_p(&format!("{question} --factor party")), (true, false), "{question}");
        assert_eq!(has_p(&format!("{question} --factor year")), (false, true), "{question}");
    }
    assert_eq!(has_p("neighbors two tax --in base"), (false, true));
}

#[test]
fn what_is_asked_for_beside_error_bars_is_given_or_refused() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m -B 7 --afresh 2 -o boot -q");
    let sure = "--boot boot --confidence 0.75";
    home.ok("fit c.jsonl --by speaker --min-count 1 --dim 4 --sweeps 2 --ridge 0.1 -o s -q");
    home.ok("bootstrap c.jsonl --model s -B 7 --afresh 0 -o by-speaker -q");
    for question in [
        format!("neighbors m tax {sure}"),
        format!("drift m tax --in left {sure}"),
        "covariates s --boot by-speaker --confidence 0.75".to_owned(),
    ] {
        home.ok(&format!("{question} --plot p.svg -q"));
        std::fs::remove_file(home.path("p.svg")).unwrap();
    }
    for question in [
        "neighbors m tax --in left",
        "drift m tax --in left",
        "drift m --in left --show pairs",
        "explain m tax war --in left",
    ] {
        let question = format!("{question} {sure} --evidence 1 --corpus c.jsonl -n 2 -q");
        assert!(home.ok(&question).contains(" lines\n"), "{question}");
        let rows = rows(&home.ok(&format!("{question} --format json")));
        assert!(rows.iter().all(|row| row["evidence"].is_array()), "{question}: {rows:?}");
    }
    let told = home.ok(&format!("explain m tax war --in left {sure} -q"));
    assert!(told.starts_with("'tax' and 'war'"), "{told}");
    for (question, told) in [
        ("analogy m war peace farm --enriched", "--enriched has no error bars"),
        ("specificity m --show histogram", "--show least"),
        ("sparsity m --show overlap", "--show levels"),
    ] {
        home.refused(&format!("{question} {sure}"), &[told]);
    }
    home.ok("permute c.jsonl --model m -B 2 --afresh 0 -o shuffled -q");
    home.refused("stability m --boot shuffled", &["labels were shuffled", "covec bootstrap"]);
}

#[test]
fn a_damaged_replicate_is_told_of_and_made_again() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m -B 7 --afresh 3 -o boot -q");
    let file = home.path("boot/replicate-00003.safetensors");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let ask = "similarity m tax war --boot boot --confidence 0.75";
    home.refused(ask, &["replicate-00003", "run covec bootstrap again"]);
    // Another folder has it; and the same command makes it.
    home.ok("bootstrap c.jsonl --model m --replicates 3..4 --afresh 3 -o other -q");
    home.ok("merge boot other -o both -q");
    assert_eq!(std::fs::read(home.path("both/replicate-00003.safetensors")).unwrap(), whole);
    home.ok("merge boot other -o both --force -q");
    home.ok("bootstrap c.jsonl --model m -B 7 --afresh 3 -o boot -q");
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    home.ok(ask);
    // One of another model does not belong here.
    home.ok("fit c.jsonl --by party --min-count 1 --dim 4 --sweeps 3 --seed 7 --ridge 0.1 -o n -q");
    home.ok("bootstrap c.jsonl --model n -B 1 --afresh 3 -o strange -q");
    std::fs::copy(home.path("strange/replicate-00000.safetensors"), &file).unwrap();
    home.refused(ask, &["replicate-00003", "it is of the model"]);
}

#[test]
fn a_corpus_with_other_words_is_refused_and_a_unit_may_be_a_factor() {
    let home = speeches();
    let lines = std::fs::read_to_string(home.path("c.jsonl")).unwrap();
    home.write("edited.jsonl", lines.replace("peace", "piece"));
    home.refused(
        "bootstrap edited.jsonl --model m -o b",
        &["not the corpus", "'peace' occurs 0 times"],
    );
    home.ok("bootstrap c.jsonl --model m --unit party --unit speaker -B 1 -o nested -q");
    home.refused(
        "bootstrap c.jsonl --model m --unit nobody -o b",
        &["nobody", "way out: name one of these\n"],
    );
}

#[test]
fn units_that_are_alone_in_their_cell_are_told_of_or_refused() {
    let home = speeches();
    // Every speaker speaks once a year.
    let lines = std::fs::read_to_string(home.path("c.jsonl")).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let panel = |years: usize| -> Vec<&str> {
        (0..years).flat_map(|year| lines[80 * year..80 * year + 8].to_vec()).collect()
    };
    home.write("panel.jsonl", panel(2).join("\n"));
    let fit = "--by speaker --by year:1 --min-count 1 --dim 2 --sweeps 2 --ridge 0.1 -q";
    home.ok(&format!("fit panel.jsonl {fit} -o panel"));
    let told = ["alone in its combination of levels", "--within nothing"];
    home.refused("bootstrap panel.jsonl --model panel -B 2 -o b", &told);
    home.ok("bootstrap panel.jsonl --model panel -B 2 --within nothing -o whole -q");
    // Some are.
    let more = [lines[8..12].to_vec(), lines[92..96].to_vec()].concat();
    home.write("some.jsonl", [panel(2), more].concat().join("\n"));
    home.ok(&format!("fit some.jsonl {fit} -o some"));
    let out = home.covec("bootstrap some.jsonl --model some -B 1 -o c");
    assert!(text(&out.stderr).contains("8 of 24 units are alone"), "{}", text(&out.stderr));
}

/// How often each word was drawn, level after level.
fn counts(replicate: &[u8]) -> Vec<u32> {
    let (head, data) = replicate[8..].split_at(replicate[0] as usize + 256 * replicate[1] as usize);
    let head: Value = serde_json::from_slice(head).unwrap();
    let place = |at: usize| head["counts"]["data_offsets"][at].as_u64().unwrap() as usize;
    let numbers = data[place(0)..place(1)].chunks_exact(4);
    numbers.map(|n| u32::from_le_bytes(n.try_into().unwrap())).collect()
}

#[test]
fn no_draw_leaves_a_level_without_text() {
    let home = speeches();
    let lines = std::fs::read_to_string(home.path("c.jsonl")).unwrap();
    // Two speakers of each party: one draw in eight would miss a party.
    let few =
        lines.lines().filter(|line| ["s0", "s1", "s4", "s5"].iter().any(|s| line.contains(s)));
    home.write("few.jsonl", few.collect::<Vec<_>>().join("\n"));
    home.ok("fit few.jsonl --by party --min-count 1 --dim 2 --sweeps 2 --ridge 0.1 -o few -q");
    home.ok(
        "bootstrap few.jsonl --model few --unit speaker --within nothing -B 30 --afresh 0 -o b -q",
    );
    for name in names(&home.path("b")).iter().filter(|name| name.starts_with("replicate")) {
        let counts = counts(&std::fs::read(home.path("b").join(name)).unwrap());
        for level in counts.chunks(counts.len() / 2) {
            assert!(level.iter().any(|count| *count > 0), "{name}");
        }
    }
}

#[test]
fn stability_is_told_by_seed_and_by_draw() {
    let home = speeches();
    home.ok("count c.jsonl --by party --min-count 1 -o t -q");
    home.ok("train t --dim 4 --sweeps 3 --ridge 0.1 -o n -q");
    home.ok("bootstrap c.jsonl --model n -B 3 -o boot -q");
    let both = "stability n --tensor t --boot boot --seeds 2 --nearest 3 --format json -q";
    let words = rows(&home.ok(&format!("{both} --show words")));
    let share = |row: &Value, name: &str| row[name].as_f64().unwrap();
    assert!(words.len() > 5);
    for row in &words {
        assert!(["seeds", "draws"].iter().all(|name| (0.0..=1.0).contains(&share(row, name))));
    }
    let bands = rows(&home.ok(both));
    let counted: u64 = bands.iter().map(|band| band["words"].as_u64().unwrap()).sum();
    assert_eq!(counted, words.len() as u64);
    home.refused("stability n", &["--tensor", "--boot"]);
    home.refused("stability n --tensor t --seeds 1", &["from 2 to 100"]);
    home.ok("count c.jsonl --by party --min-count 2 --window 3 -o other -q");
    home.refused("stability n --tensor other", &["not the tensor"]);
}

#[test]
fn attribution_says_how_often_a_candidate_is_first() {
    let home = speeches();
    home.ok("bootstrap c.jsonl --model m --unit speaker -B 3 -o boot -q");
    home.write("text.txt", "we tax nobody at all and speak of the farm and field ".repeat(40));
    let printed = home
        .ok("attribute m text.txt --min-words 100 --boot boot --confidence 0.5 --format json -q");
    let rows = rows(&printed);
    let share = |row: &Value| row["chosen_in"].as_f64().unwrap();
    assert_eq!(rows.iter().map(share).sum::<f64>(), 1.0, "{rows:?}");
    assert_eq!(rows[0]["candidate"], "right");
    assert!(share(&rows[0]) > 0.5);
}
