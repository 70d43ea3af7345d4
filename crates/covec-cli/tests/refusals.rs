//! Bad input gets one clear message and code 2, and leaves nothing behind.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use common::{Home, counts, names, text};

fn home() -> Home {
    let home = Home::new();
    home.write("c.jsonl", "{\"text\": \"a b c\", \"party\": \"D\", \"year\": 1900}\n{\"text\": \"b c d\", \"party\": \"R\", \"year\": 1950}\n");
    home
}

#[test]
fn a_missing_field_names_file_line_and_the_fields_there() {
    let home = home();
    home.refused(
        "count c.jsonl --text body -o t",
        &["c.jsonl, line 1", "no field 'body'", "text, party, year", "--text"],
    );
    home.refused(
        "count c.jsonl --by parti -o t",
        &["c.jsonl, line 1", "no field 'parti'", "party", "--missing skip"],
    );
    home.write("c.csv", "text,party\na b,D\n");
    home.refused(
        "count c.csv --by year -o t",
        &["c.csv, line 2", "no field 'year'", "text, party"],
    );
    home.write("c.txt", "a b c\n");
    home.refused("count c.txt --by year -o t", &["c.txt, line 1", "plain text has no fields"]);
    home.refused("count c.jsonl --by folder -o t", &["reads covariates off the paths"]);
}

#[test]
fn values_of_the_wrong_kind_are_named() {
    let home = home();
    home.write("list.jsonl", "{\"text\": [\"a\"], \"g\": 1}\n");
    home.refused("count list.jsonl -o t", &["list.jsonl, line 1", "'text'", "got a list"]);
    home.write("object.jsonl", "{\"text\": \"a\", \"g\": {\"x\": 1}}\n");
    home.refused("count object.jsonl --by g -o t", &["'g'", "got an object"]);
    home.write("null.jsonl", "{\"text\": \"a\", \"g\": \"x\"}\n{\"text\": \"a\", \"g\": null}\n");
    home.refused(
        "count null.jsonl --by g -o t",
        &["null.jsonl, line 2", "is empty", "--missing skip"],
    );
    home.refused("count c.jsonl --by party:10 -o t", &["line 1", "expected a number", "'D'"]);
    home.write("broken.jsonl", "{\"text\": \"a\"}\n{\"text\": \"a\n");
    home.refused("count broken.jsonl -o t", &["broken.jsonl, line 2", "one JSON object a line"]);
    home.write("array.json", "[{\"text\": \"a\"}]");
    home.refused("count array.json -o t", &["jq -c"]);
    home.write("open.csv", "party,text\nD,\"hello hello world\nR,world world\nD,again\n");
    home.refused("count open.csv --by party -o t", &["open.csv, line 2", "still open at the end"]);
    home.write("ragged.csv", "text,g\na,x\nb\n");
    home.refused("count ragged.csv -o t", &["ragged.csv, line 3", "2 named, 1 found"]);
}

/// The reader of tables would take all of these, and lose records on the way.
#[test]
fn quoted_fields_that_do_not_end_as_they_must_are_refused_with_their_line() {
    let home = Home::new();
    home.write(
        "open.csv",
        "p,text\nx,a 5\" screen\ny,\"open text here\nz,more words\nw,last words\n",
    );
    home.refused(
        "count open.csv --by p --min-count 1 -o t",
        &["open.csv, line 3", "still open at the end", "way out:"],
    );
    home.write(
        "late.tsv",
        "text\tp\nalpha beta gamma\tD\n\"delta eps zeta\tD\n\"eta theta\tR\nlast words\tD\n",
    );
    home.refused(
        "count late.tsv --by p --min-count 1 -o t",
        &["late.tsv, line 3", "closes in line 4, but goes on with 'e'", "twice"],
    );
    home.write("pairs.tsv", "row\tcol\tvalue\n\"\tthe\t5\n\"\tof\t3\nof\tthe\t9\n");
    home.refused("import pairs.tsv -o t", &["pairs.tsv, line 2", "a line end or a tab in it"]);
    // A fault of an earlier record is told first; a long text before it changes nothing.
    let before = "x,words and more words\n".repeat(20_000);
    home.write("far.csv", format!("p,text\n{before}y,\"one\" two\n"));
    home.refused("count far.csv --by p -o t", &["far.csv, line 20002", "in the same line"]);
    home.write("two.csv", "p,text\nx,one\ny\nz,\"one\" two\n");
    home.refused("count two.csv --by p -o t", &["two.csv, line 3", "2 named, 1 found"]);
    home.write("empty.csv", "p,text\nx,one\n,two\nz,\"one\" two\n");
    home.write("fine.csv", "p\nx\n");
    for threads in [1, 4] {
        let flags = format!("--by p --threads {threads} -o t");
        home.refused(&format!("count empty.csv fine.csv {flags}"), &["empty.csv, line 3", "empty"]);
        home.refused(&format!("count far.csv fine.csv {flags}"), &["far.csv, line 20002"]);
    }
    // Marks inside a field are letters like others.
    home.write("good.csv", "p,text\nx,a 5\" screen \"\ny,\"say \"\"so\"\", they\nsay\"\n");
    home.ok("count good.csv --by p --min-count 1 -o t -q");
    assert!(home.ok("info t").contains("2 documents, 6 words"), "{}", home.ok("info t"));
}

#[test]
fn records_of_a_table_are_held_to_the_longest_document_too() {
    let home = Home::new();
    home.write("c.csv", format!("text,p\nshort,x\n{},x\n", "word ".repeat(400)));
    home.refused(
        "count c.csv --max-document 1K -o t",
        &["c.csv, line 3", "more than 1024 bytes", "--max-document"],
    );
    home.write("many.csv", format!("text,p\n{}", "a few words,x\n".repeat(20_000)));
    home.ok("count many.csv --max-document 1K -o t -q");
}

#[test]
fn text_of_two_bytes_a_character_is_told_as_such_whatever_it_holds() {
    let home = Home::new();
    let text = "text\tp\nof this and that\tx\n";
    for (name, mark, little) in [
        ("a.tsv", true, true),
        ("b.tsv", true, false),
        ("c.txt", false, true),
        ("d.jsonl", false, false),
    ] {
        let units = mark.then_some(0xfeff_u16).into_iter().chain(text.encode_utf16());
        let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        home.write(name, units.flat_map(bytes).collect::<Vec<u8>>());
        for rule in ["", " --invalid-utf8 replace"] {
            let told = ["UTF-16", "expected: UTF-8", "iconv -f utf-16"];
            home.refused(&format!("count {name} --min-count 1 -o t{rule}"), &told);
        }
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let home = home();
    home.refused("count nothing.jsonl -o t", &["nothing.jsonl", "No such file"]);
    home.write("c.docx", "x");
    home.refused("count c.docx -o t", &["c.docx: unknown file type", ".jsonl", "--input-format"]);
    std::fs::create_dir(home.path("empty")).unwrap();
    home.refused("count empty -o t", &["empty: no text files"]);
    home.write("bad.txt", b"good\nna\xefve\n");
    home.refused(
        "count bad.txt -o t",
        &["bad.txt, line 2", "not valid UTF-8 (byte 3", "--invalid-utf8 replace"],
    );
    home.write("bad.parquet", b"PAR1 this is not Parquet PAR1");
    home.refused("count bad.parquet -o t", &["bad.parquet: not a readable Parquet file"]);
    home.write("empty.parquet", b"");
    home.refused("count empty.parquet -o t", &["empty.parquet: not a readable Parquet file"]);
}

#[test]
fn packed_files_that_end_early_are_named() {
    let home = home();
    let text: String = (0..5000).map(|i| format!("word{i} and word{}\n", i * 7 % 1000)).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    home.write("cut.txt.gz", &gzip[..gzip.len() / 2]);
    home.refused("count cut.txt.gz -o t", &["cut.txt.gz: damaged or cut-off gzip data", "again"]);
    let mut flipped = gzip.clone();
    flipped[gzip.len() / 2] ^= 0x55;
    home.write("flipped.txt.gz", flipped);
    home.refused("count flipped.txt.gz -o t", &["flipped.txt.gz: damaged"]);
    let zstd = zstd::encode_all(text.as_bytes(), 0).unwrap();
    home.write("cut.txt.zst", &zstd[..zstd.len() / 2]);
    home.refused("count cut.txt.zst -o t", &["cut.txt.zst: damaged or cut-off zstd data"]);
}

#[test]
fn a_line_of_200_megabytes_is_refused_by_default_and_counted_when_allowed() {
    let home = home();
    let mut file = std::io::BufWriter::new(std::fs::File::create(home.path("long.txt")).unwrap());
    writeln!(file, "a short line").unwrap();
    for i in 0..20_000_000_u32 {
        write!(file, "w{:08} ", i % 1000).unwrap();
    }
    drop(file);
    home.refused(
        "count long.txt -o t",
        &["long.txt, line 2", "more than 67108864 bytes", "--max-document"],
    );
    let unclosed = format!("text,g\n\"{}", "no quote ends this ".repeat(4_000_000));
    home.write("unclosed.csv", unclosed);
    home.refused("count unclosed.csv -o t", &["unclosed.csv", "more than 67108864 bytes"]);
    home.ok("count long.txt --max-document 1G -o t -q");
    assert!(home.ok("info t").contains("20,000,003 words"));
}

#[test]
fn a_corpus_or_vocabulary_without_words_says_why() {
    let home = home();
    home.write("empty.jsonl", "\n\n");
    home.refused("count empty.jsonl -o t", &["the corpus is empty", "0 documents"]);
    home.write("numbers.txt", "1 2 3\n4,000 ...\n");
    home.refused("count numbers.txt -o t", &["2 documents, no words", "--text"]);
    home.refused(
        "count c.jsonl -o t",
        &["no word is left", "--min-count 10 removed", "lower --min-count", "occurs 2 times"],
    );
    home.refused("count c.jsonl --min-count 1 --drop-top 4 -o t", &["--drop-top 4 removed"]);
    home.refused(
        "count c.jsonl --min-count 1 --by party --min-level-count party=2 -o t",
        &["--min-level-count party=2 removed"],
    );
    home.refused(
        "count c.jsonl --min-count 1 --min-level-count era=2 -o t",
        &["no factor 'era'", "none"],
    );
    home.refused(
        "count c.jsonl --by party --min-level-tokens 9 -o t",
        &["leaves out every level of 'party'", "3 tokens"],
    );
    home.write("list.txt", "zebra\n");
    home.refused("count c.jsonl --words list.txt -o t", &["--words list.txt removed"]);
    home.write("blank.txt", "\n");
    home.refused("count c.jsonl --words blank.txt -o t", &["blank.txt: no words in this list"]);
}

#[test]
fn parameters_outside_their_range_are_refused() {
    let home = home();
    for (flags, told) in [
        ("--window 0", "--window"),
        ("--window 21", "1 to 20 with inverse weights"),
        ("--window x", "--window x: expected"),
        ("--weights round", "--weights round: expected inverse or flat"),
        ("--min-count -3", "--min-count -3: expected a whole number"),
        ("--min-entry nan", "--min-entry"),
        ("--by year:0", "a width must be positive"),
        ("--by year:9,3", "cut points must rise"),
        ("--by name:[", "regex"),
        ("--by party --by party", "named twice"),
        ("--by party --order party=D", "'R' is not in the list"),
        ("--order x=a,b", "no --by names this factor"),
        ("--memory lots", "--memory lots: expected a size"),
        ("--max-document 3G", "--max-document 3221225472: expected a size such as 64M, at most 2G"),
        ("--input-format word", "--input-format word"),
    ] {
        home.refused(&format!("count c.jsonl {flags} -o t"), &[told]);
    }
    let output = home.covec("count c.jsonl --wimdow 3 -o t");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--window"), "a near flag is suggested");
    assert_eq!(home.covec("count c.jsonl").status.code(), Some(2), "no output");
}

#[test]
fn levels_that_would_be_written_alike_are_refused() {
    let home = home();
    home.write("clash.jsonl", "{\"text\":\"a b\",\"a\":\"b=c\",\"a=b\":\"d\"}\n{\"text\":\"a b\",\"a\":\"z\",\"a=b\":\"c\"}\n");
    home.refused("count clash.jsonl --by a --by a=b --min-count 1 -o t", &["a=b=c", "written so"]);
}

#[test]
fn counts_too_large_to_add_up_are_refused_before_anything_is_written() {
    let home = home();
    home.write("huge.csv", "row,col,value\na,b,1e308\na,b,1e308\n");
    home.refused("import huge.csv -o t", &["more than a number can hold"]);
    home.refused("import huge.csv --row A -o t", &["no field 'A'", "--row"]);
    home.refused("import huge.csv --input-format text -o t", &["--input-format text: expected"]);
    home.write("nameless.csv", "row,col,value\n,b,1\n");
    home.refused("import nameless.csv -o t", &["line 2", "a row without a name"]);
}

#[test]
fn what_cannot_be_planted_is_refused() {
    let home = home();
    for (flags, told) in [
        (
            "c.jsonl --by party --in party=DD",
            &["no level 'party=DD'", "did you mean 'party=D'?"][..],
        ),
        ("c.jsonl --by party --in party=Whig", &["no level 'party=Whig'", "party=D, party=R"]),
        ("c.jsonl --by party --in parti=D", &["--in parti=D", "did you mean 'party'?", "--by"]),
        ("c.jsonl --in party=D", &["--in party=D", "no factor of --by", "none"]),
        ("c.jsonl --by party --by year:10 --in D", &["--in D", "FACTOR=LEVEL", "party, year"]),
        (
            "c.jsonl --by party --in D",
            &["--pairs 40: party=D has 0 pairs", "100 to 1000", "--least"],
        ),
        ("- --by party --in D", &["standard input", "read twice", "to a file"]),
        ("c.jsonl --by party --in D --probability 1.5", &["--probability 1.5: expected 0 to 1"]),
        ("c.jsonl --by party --in D --probability -0.1", &["--probability -0.1: expected 0 to 1"]),
        ("c.jsonl --by party --in D --pairs 0", &["--pairs 0"]),
        ("c.jsonl --by party --in D --most 99", &["--most 99", "not below --least"]),
        ("c.jsonl --by party --in D --with speaker", &["no field 'speaker'", "line 1"]),
        ("c.jsonl --by folder --in D", &["--by folder", "name:("]),
        ("c.jsonl --by party --with text --in D", &["--by text", "the text itself"]),
        ("c.jsonl --by party --in D --truth p", &["--truth p", "not the output's own"]),
        ("c.jsonl --by party --in D --truth c.jsonl --force", &["c.jsonl is part of the corpus"]),
        ("c.jsonl --by party --in D --id party", &["the same id as", "line 1"]),
    ] {
        if flags.contains("--id") {
            home.write("c.jsonl", "{\"text\": \"a\", \"party\": \"D\"}\n".repeat(2));
        }
        home.refused(&format!("plant {flags} -o p"), told);
    }
}

/// Whoever should read the messages has gone: that is no reason to fail.
#[test]
#[cfg(unix)]
fn a_closed_standard_error_changes_nothing() {
    let home = home();
    let covec = assert_cmd::cargo::cargo_bin("covec");
    for (flags, code) in [("--min-count 1", 0), ("--text body", 2)] {
        let script = format!(
            "( {} count c.jsonl {flags} --force -o t; echo $? > code ) 2>&1 | true; sleep 1",
            covec.display()
        );
        let run = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(home.0.path())
            .status();
        assert!(run.unwrap().success());
        assert_eq!(std::fs::read_to_string(home.path("code")).unwrap().trim(), code.to_string());
    }
}

#[test]
fn two_documents_of_one_id_are_refused() {
    let home = home();
    home.write(
        "ids.jsonl",
        "{\"text\":\"a\",\"id\":1}\n{\"text\":\"b\",\"id\":2}\n{\"text\":\"c\",\"id\":1}\n",
    );
    home.refused(
        "count ids.jsonl --id id -o t",
        &["ids.jsonl, line 3: the same id as ids.jsonl, line 1"],
    );
    home.ok("count ids.jsonl --min-count 1 -o t -q");
}

#[test]
fn an_output_that_exists_is_kept_unless_forced_and_covecs_own() {
    let home = home();
    home.ok("count c.jsonl --min-count 1 -o t -q");
    let before = counts(&home.path("t"));
    home.refused("count c.jsonl --by party --min-count 1 -o t", &["t exists already", "--force"]);
    assert_eq!(counts(&home.path("t")), before);
    home.ok("count c.jsonl --by party --min-count 1 -o t --force -q");
    assert_ne!(counts(&home.path("t")), before);
    home.write("mine/notes.txt", "years of work");
    home.refused("count c.jsonl --min-count 1 -o mine --force", &["notes.txt", "left alone"]);
    home.refused("count c.jsonl --min-count 1 -o no/such/t", &["there is no folder", "mkdir -p"]);
    // A refused run with --force keeps what was there.
    let before = counts(&home.path("t"));
    home.refused("count c.jsonl --text body -o t --force", &["no field"]);
    assert_eq!(counts(&home.path("t")), before);
}

#[test]
fn tensor_folders_that_are_damaged_or_mixed_up_are_refused() {
    let home = home();
    home.ok("count c.jsonl --min-count 1 -o a -q");
    home.ok("count c.jsonl --min-count 1 --by party -o b -q");
    home.refused("info c.jsonl", &["not a tensor folder: it is a file"]);
    home.refused("info nowhere", &["there is nothing there"]);
    let files = ["entries.parquet", "vocabulary.parquet", "covariates.json", "run.json"];
    let copy = |name: &str| {
        for file in files {
            home.write(
                &format!("{name}/{file}"),
                std::fs::read(home.path("a").join(file)).unwrap(),
            );
        }
    };
    for file in files {
        copy("x");
        std::fs::remove_file(home.path("x").join(file)).unwrap();
        home.refused("info x", &[&format!("no {file} in it")]);
        // Cut short.
        copy("x");
        let whole = std::fs::read(home.path("x").join(file)).unwrap();
        home.write(&format!("x/{file}"), &whole[..whole.len() / 2]);
        home.refused("info x", &[file]);
        // Of another tensor.
        copy("x");
        home.write(&format!("x/{file}"), std::fs::read(home.path("b").join(file)).unwrap());
        home.refused("info x", &["x"]);
    }
    copy("x");
    let run = std::fs::read_to_string(home.path("x/run.json")).unwrap();
    home.write("x/run.json", run.replace("\"format\": 1", "\"format\": 99"));
    home.refused("info x", &["format 99", "this covec reads format 1"]);
    home.refused("merge a -o m", &["at least two tensors"]);
    home.refused("merge a b -o m", &["cannot be merged", "factors differ"]);
}

/// The limit on a file's size stands in for a full disk: a write fails half way.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_nothing_behind() {
    let home = home();
    let lines: String = (0..4000_u32)
        .map(|i| format!("w{} w{} w{} w{}\n", i % 997, i * 7 % 991, i * 31 % 983, i % 13))
        .collect();
    home.write("c.txt", lines);
    home.ok("count c.txt --min-count 1 -o kept -q");
    let before = (home.names(), counts(&home.path("kept")));
    let covec = assert_cmd::cargo::cargo_bin("covec");
    for output in ["t", "kept"] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 16; exec {} count c.txt --min-count 1 --force -q -o {output}",
            covec.display()
        );
        let run = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(home.0.path())
            .output()
            .unwrap();
        let message = text(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "the disk is to blame, not the input: {message}");
        assert!(message.contains("cannot write") && message.contains("large"), "{message}");
        assert_eq!((home.names(), counts(&home.path("kept"))), before);
    }
}

/// A large enough corpus, and a run that is killed while it counts.
fn killed_while_counting(home: &Home, signal: &str) -> std::process::Output {
    if !home.path("big.txt").exists() {
        let mut state = 7_u64;
        let mut text = String::new();
        while text.len() < 30_000_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += &format!("w{} ", (state >> 40) % 20_000);
            if state >> 60 == 0 {
                text.push('\n');
            }
        }
        home.write("big.txt", text);
    }
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("covec"))
        .args("count big.txt --min-count 1 --memory 1M -o t".split(' '))
        .current_dir(home.0.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as it has its folder it is at work, for some seconds.
    while !home.names().iter().any(|name| name.contains("covec-partial")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(150));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[test]
#[cfg(unix)]
fn a_killed_run_leaves_no_tensor_and_the_next_one_cleans_up() {
    let home = home();
    let output = killed_while_counting(&home, "-KILL");
    assert_eq!(output.status.code(), None, "it was still running when it was killed");
    assert!(!home.path("t").exists());
    assert!(home.names().iter().any(|name| name.contains("covec-partial")), "{:?}", home.names());
    home.ok("count c.jsonl --min-count 1 -o t -q");
    assert_eq!(home.names(), ["big.txt", "c.jsonl", "t"]);
    assert_eq!(names(&home.path("t")).len(), 4);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_cleans_up_and_ends_with_130() {
    let home = home();
    let output = killed_while_counting(&home, "-INT");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("interrupted; nothing was written"));
    assert_eq!(home.names(), ["big.txt", "c.jsonl"]);
}

#[test]
fn what_cannot_be_explored_is_refused() {
    let home = Home::with_tensor();
    home.refused("explore nothing", &["nothing"]);
    home.refused("explore t", &["t"]);
    home.refused("explore m --corpus gone.jsonl", &["gone.jsonl", "no such corpus"]);
    home.refused("explore m --boot t", &["t"]);
    home.refused("explore m --host no.such.host.invalid --port 7399", &["cannot listen", "--host"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    home.refused(&format!("explore m --port {port}"), &["cannot listen", "another --port"]);
}

#[test]
fn tensors_whose_numbers_were_cut_otherwise_are_not_merged() {
    let home = Home::new();
    home.write(
        "c.jsonl",
        "{\"text\": \"a b a b\", \"year\": 1861}\n{\"text\": \"b a\", \"year\": 1875}\n",
    );
    for (by, output) in [("year:10", "ten"), ("year:20", "twenty"), ("year:10", "again")] {
        home.ok(&format!("count c.jsonl --by {by} --min-count 1 -o {output} -q"));
    }
    home.refused("merge ten twenty -o m", &["different --by", "year:10", "year:20"]);
    home.ok("merge ten again -o m -q");
    home.ok("count c.jsonl --by year:10 --weights flat --min-count 1 -o flat -q");
    home.refused("merge ten flat -o n", &["different --weights", "flat", "inverse"]);
}

#[test]
fn lines_of_tables_are_told_rightly_however_they_end() {
    let home = Home::new();
    for (name, end) in [("lf.csv", "\n"), ("crlf.csv", "\r\n")] {
        let lines = ["text,party", "a b,D", "\"c\nd\",R", "e f,"];
        home.write(name, lines.map(|line| format!("{line}{end}")).concat());
        home.refused(&format!("count {name} --by party -o t"), &[&format!("{name}, line 5")]);
        home.write(
            name,
            ["text,party", "a b,D", "c d"].map(|line| format!("{line}{end}")).concat(),
        );
        home.refused(&format!("count {name} --by party -o t"), &[&format!("{name}, line 3")]);
    }
}

#[test]
fn a_line_that_is_too_long_is_told_so_by_any_number_of_threads() {
    let home = Home::new();
    home.write("c.jsonl", format!("{{\"text\": \"{}\"}}\n", "word ".repeat(800_000)));
    for threads in [1, 2, 4] {
        home.refused(
            &format!("count c.jsonl --max-document 1M --threads {threads} -o t"),
            &["c.jsonl, line 1", "more than 1048576 bytes", "--max-document"],
        );
    }
}

#[test]
fn words_of_a_list_that_do_not_occur_are_told() {
    let home = Home::new();
    home.write("c.txt", "a b a b c\n");
    home.write("w.txt", "a\nThe\nnosuch\nb\n");
    let told = text(&home.covec("count c.txt --words w.txt -o t").stderr);
    assert!(told.contains("2 of the 4 words of w.txt do not occur: nosuch, the"), "{told}");
}
