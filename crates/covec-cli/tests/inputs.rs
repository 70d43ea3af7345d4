//! The same documents in every form a corpus can have give the same tensor.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Write;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray,
    TimestampMillisecondArray, TimestampNanosecondArray,
};
use common::{Home, counts};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;

const DOCUMENTS: &[(&str, &str, i64)] = &[
    ("Four score and seven years ago, \"our fathers\" brought forth", "Lincoln", 1863),
    ("a new nation,\nconceived in liberty", "Lincoln", 1863),
    ("We have nothing to fear but fear itself", "Roosevelt", 1933),
    ("the only thing we have to fear is fear", "Roosevelt", 1941),
];

fn jsonl() -> String {
    let line = |(text, by, year): &(&str, &str, i64)| {
        format!("{{\"text\": {text:?}, \"by\": {by:?}, \"year\": {year}, \"other\": [1, {{}}]}}\n")
    };
    DOCUMENTS.iter().map(line).collect()
}

fn table(delimiter: char) -> String {
    let mut table = format!("year{delimiter}text{delimiter}by\r\n");
    for (text, by, year) in DOCUMENTS {
        let text = text.replace('"', "\"\"");
        table += &format!("{year}{delimiter}\"{text}\"{delimiter}{by}\r\n");
    }
    table
}

fn parquet() -> Vec<u8> {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("by", Arc::new(StringArray::from_iter_values(DOCUMENTS.iter().map(|d| d.1)))),
        ("year", Arc::new(Int64Array::from_iter_values(DOCUMENTS.iter().map(|d| d.2)))),
        ("text", Arc::new(StringArray::from_iter_values(DOCUMENTS.iter().map(|d| d.0)))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).unwrap()
}

const FLAGS: &str = "--by by --by year:10 --min-count 1 -q";

#[test]
fn every_format_plain_and_packed_gives_the_same_tensor() {
    let home = Home::new();
    home.write("c.jsonl", jsonl());
    home.ok(&format!("count c.jsonl {FLAGS} -o expected"));
    let expected = counts(&home.path("expected"));
    let forms: Vec<(&str, Vec<u8>)> = vec![
        ("c.csv", table(',').into()),
        ("c.tsv", table('\t').into()),
        ("c.parquet", parquet()),
        ("bom.csv", [b"\xef\xbb\xbf", table(',').as_bytes()].concat()),
        ("crlf.jsonl", jsonl().replace('\n', "\r\n").replace("\\r\\n", "\\n").into()),
        ("unended.ndjson", jsonl().trim_end().into()),
    ];
    for (name, content) in forms {
        home.write(name, &content);
        home.write(&format!("{name}.gz"), gzip(&content));
        home.write(&format!("{name}.zst"), zstd(&content));
        for name in [name.to_owned(), format!("{name}.gz"), format!("{name}.zst")] {
            home.ok(&format!("count {name} {FLAGS} -o t --force"));
            assert!(counts(&home.path("t")) == expected, "{name}");
        }
    }
}

/// As pzstd writes it: each frame after a small one that is to be skipped.
#[test]
fn zstd_that_begins_with_a_frame_to_be_skipped_is_unpacked() {
    let home = Home::new();
    home.write("c.jsonl", jsonl());
    home.ok(&format!("count c.jsonl {FLAGS} -o expected"));
    let mut packed = Vec::new();
    for line in jsonl().lines() {
        let frame = zstd(format!("{line}\n").as_bytes());
        packed.extend([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]);
        packed.extend((frame.len() as u32).to_le_bytes());
        packed.extend(frame);
    }
    home.write("p.jsonl.zst", packed);
    home.ok(&format!("count p.jsonl.zst {FLAGS} -o t"));
    assert!(counts(&home.path("t")) == counts(&home.path("expected")));
}

/// Found by fuzzing: the decoder of Arrow's own schema, which many tools put into a file, panicked.
#[test]
fn a_damaged_arrow_schema_inside_a_parquet_file_does_not_matter() {
    let home = Home::new();
    let damaged = KeyValue::new("ARROW:schema".to_owned(), "/////not a schema".to_owned());
    let properties =
        WriterProperties::builder().set_key_value_metadata(Some(vec![damaged])).build();
    let options =
        ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let text: ArrayRef = Arc::new(StringArray::from(vec!["one two", "two three"]));
    let batch = RecordBatch::try_from_iter([("text", text)]).unwrap();
    let mut writer =
        ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    home.write("c.parquet", writer.into_inner().unwrap());
    home.ok("count c.parquet --min-count 1 -o t -q");
    assert!(home.ok("info t").contains("2 documents, 4 words"));
}

#[test]
fn standard_input_is_read_packed_or_not() {
    let home = Home::new();
    home.write("c.jsonl", jsonl());
    home.ok(&format!("count c.jsonl {FLAGS} -o expected"));
    for (format, content) in [
        ("jsonl", jsonl().into_bytes()),
        ("jsonl", zstd(jsonl().as_bytes())),
        ("csv", table(',').into_bytes()),
        ("parquet", parquet()),
        ("parquet", gzip(&parquet())),
    ] {
        let arguments = format!("count - --input-format {format} {FLAGS} -o t --force");
        home.command().args(arguments.split(' ')).write_stdin(content).assert().success();
        assert!(counts(&home.path("t")) == counts(&home.path("expected")), "{format}");
    }
}

#[test]
fn several_inputs_and_folders_of_shards_are_one_corpus() {
    let home = Home::new();
    home.write("c.jsonl", jsonl());
    home.ok(&format!("count c.jsonl {FLAGS} -o expected"));
    let lines: Vec<String> = jsonl().lines().map(|line| format!("{line}\n")).collect();
    home.write("a.jsonl", &lines[0]);
    home.write("b.jsonl.gz", gzip(lines[1..].concat().as_bytes()));
    home.ok(&format!("count b.jsonl.gz a.jsonl {FLAGS} -o t"));
    assert!(counts(&home.path("t")) == counts(&home.path("expected")));
    home.write("shards/part-0.jsonl", lines[..3].concat());
    home.write("shards/deeper/part-1.jsonl", &lines[3]);
    home.write("shards/_SUCCESS", "");
    home.ok(&format!("count shards {FLAGS} -o u"));
    assert!(counts(&home.path("u")) == counts(&home.path("expected")));
}

#[test]
fn a_folder_of_texts_carries_covariates_in_its_paths() {
    let home = Home::new();
    home.write("books/austen/emma_1815.txt", "she had a great deal to say");
    home.write("books/austen/persuasion_1817.txt.gz", gzip(b"she had been forced into prudence"));
    home.write("books/verne/nemo_1870.txt", "the sea is everything the sea");
    home.write("books/manifest.csv", "title,year\n");
    let printed = home.covec("count books --by folder --min-count 1 -o t");
    let told = common::text(&printed.stderr);
    assert!(told.contains("manifest.csv"), "what is passed over is said: {told}");
    let levels = home.ok("info t --show levels --format csv");
    assert!(levels.contains("folder,austen,2") && levels.contains("folder,verne,1"), "{levels}");

    let pattern = "name:(?<author>[^/]+)/(?<title>[a-z]+)_(?<year>[0-9]+)";
    let arguments =
        ["count", "books", "--by", pattern, "--by", "year:10", "--min-count", "1", "-o", "u", "-q"];
    home.command().args(arguments).assert().success();
    let levels = home.ok("info u --show levels --format csv");
    for level in ["author,austen,2", "title,emma,1", "year,1810s,2", "year,1870s,1"] {
        assert!(levels.contains(level), "{levels}");
    }
    let covariates = std::fs::read_to_string(home.path("u/covariates.json")).unwrap();
    let covariates: serde_json::Value = serde_json::from_str(&covariates).unwrap();
    let ordered: Vec<_> = covariates["factors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["ordered"].as_bool().unwrap())
        .collect();
    assert_eq!(ordered, [false, false, true]);
}

fn levels(home: &Home, tensor: &str) -> Vec<String> {
    let rows = home.ok(&format!("info {tensor} --show levels --format csv"));
    let level = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(",");
    rows.lines().skip(1).map(level).collect()
}

#[test]
fn of_several_folders_the_names_are_part_of_the_paths() {
    let home = Home::new();
    home.write("corpus/dem/1.txt", "one two two");
    home.write("corpus/rep/1.txt", "two three");
    home.write("corpus/rep/late/2.txt", "three four");
    home.ok("count corpus/dem corpus/rep/ --by folder --id id --min-count 1 -o t -q");
    assert_eq!(levels(&home, "t"), ["folder,dem,1", "folder,rep,1", "folder,rep/late,1"]);
    let pattern = "name:^(?<party>[^/]+)/";
    let arguments = ["count", "corpus/rep", "corpus/dem/.", "--by", pattern, "--min-count", "1"];
    home.command().args(arguments).args(["-o", "u", "-q"]).assert().success();
    assert_eq!(levels(&home, "u"), ["party,dem,1", "party,rep,2"]);
    // One folder alone is where its paths begin.
    home.ok("count corpus/rep --by folder --min-count 1 -o v -q");
    assert_eq!(levels(&home, "v"), ["folder,.,1", "folder,late,1"]);
    // What is kept of an input does not depend on what was named beside it.
    let print = |tensor: &str| {
        let run = std::fs::read(home.path(tensor).join("run.json")).unwrap();
        let run: serde_json::Value = serde_json::from_slice(&run).unwrap();
        let inputs = run["inputs"].as_array().unwrap().clone();
        inputs.into_iter().find(|input| input["name"] == "rep").unwrap()
    };
    assert_eq!(print("u"), print("v"));
}

#[test]
fn the_input_format_is_for_files_of_a_folder_whose_names_do_not_say() {
    let home = Home::new();
    home.write("news/sport/1001", "one two");
    home.write("news/politics/1002", "two three");
    home.write("news/notes.csv", "a,b\n");
    home.refused("count news/sport --by folder -o t", &["no text files", "--input-format"]);
    let told = home.covec("count news --input-format text --by folder --min-count 1 -o t");
    assert!(told.status.success(), "{}", common::text(&told.stderr));
    assert!(common::text(&told.stderr).contains("notes.csv"), "another kind is passed over");
    assert_eq!(levels(&home, "t"), ["folder,politics,1", "folder,sport,1"]);
    let lines: Vec<String> = jsonl().lines().map(|line| format!("{line}\n")).collect();
    home.write("c.jsonl", jsonl());
    home.write("shards/part-00000", lines[..3].concat());
    home.write("shards/part-00001", gzip(lines[3].as_bytes()));
    home.ok(&format!("count c.jsonl {FLAGS} -o expected"));
    home.ok(&format!("count shards --input-format jsonl {FLAGS} -o u"));
    assert!(counts(&home.path("u")) == counts(&home.path("expected")));
}

#[test]
fn whole_numbers_of_any_length_keep_their_digits() {
    let home = Home::new();
    let ids = ["18446744073709551617", "18446744073709551618", "-9223372036854775809"];
    let line = |id: &&str| format!("{{\"id\": {id}, \"a\": [1, \"id\"], \"text\": \"one two\"}}\n");
    home.write("c.jsonl", ids.iter().map(line).collect::<String>());
    home.ok("count c.jsonl --id id --by id --min-count 1 -o t -q");
    let mut found = levels(&home, "t");
    found.sort();
    let mut expected = ids.map(|id| format!("id,{id},1"));
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_number_of_parquet_that_is_none_is_missing() {
    let home = Home::new();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from_iter_values(["a b a", "b a b", "b b"]))),
        ("year", Arc::new(Float64Array::from_iter_values([1990.0, f64::NAN, 1991.0]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    home.write("c.parquet", writer.into_inner().unwrap());
    home.refused("count c.parquet --by year -o t", &["record 2", "'year' is empty"]);
    home.ok("count c.parquet --by year --missing skip --min-count 1 -o t -q");
    assert_eq!(levels(&home, "t"), ["year,1990,1", "year,1991,1"]);
}

#[test]
fn a_word_list_may_be_packed_and_begin_with_a_mark() {
    let home = Home::new();
    home.write("c.txt", "one two three two one\n");
    let list = b"\xef\xbb\xbfone\r\nthree\r\n";
    home.write("w.txt", list);
    home.write("w.txt.gz", gzip(list));
    for file in ["w.txt", "w.txt.gz"] {
        home.ok(&format!("count c.txt --words {file} --tokens whitespace -o t --force -q"));
        let words = home.ok("info t --show words --format csv");
        assert!(words.contains("\n0,one,") || words.contains("one,2"), "{file}: {words}");
        assert!(words.contains("three") && !words.contains("two"), "{file}: {words}");
    }
    home.write("latin.txt", b"one\nna\xefve\n");
    home.refused("count c.txt --words latin.txt -o u", &["latin.txt, line 2", "UTF-8", "iconv"]);
}

#[cfg(unix)]
#[test]
fn an_output_may_have_a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStringExt;
    let home = Home::new();
    home.write("c.txt", "one two one\n");
    let output = std::ffi::OsString::from_vec(b"b\xffd".to_vec());
    for force in [&[][..], &["--force"]] {
        let mut command = home.command();
        command.args(["count", "c.txt", "--min-count", "1", "-q", "-o"]).arg(&output).args(force);
        command.assert().success();
        let mut names: Vec<_> =
            std::fs::read_dir(home.0.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [output.clone(), "c.txt".into()]);
    }
}

#[test]
fn parts_with_some_of_the_levels_of_one_order_are_merged() {
    let home = Home::new();
    home.write("w.txt", "a\nb\n");
    let count = |name: &str, eras: &[&str], order: &str| {
        let line = |era: &&str| format!("{{\"text\": \"a b a\", \"era\": \"{era}\"}}\n");
        home.write(&format!("{name}.jsonl"), eras.iter().map(line).collect::<String>());
        let order = format!("--by era --order era={order}");
        home.ok(&format!("count {name}.jsonl {order} --words w.txt -o {name} -q --force"));
    };
    let all = "early,middle,late";
    count("a", &["early", "late"], all);
    count("b", &["early", "middle"], all);
    count("c", &["middle"], all);
    count("whole", &["early", "late", "early", "middle"], all);
    for (first, second) in [("a", "b"), ("c", "a"), ("b", "c")] {
        home.ok(&format!("merge {first} {second} -o m --force -q"));
    }
    home.ok("merge a b -o m --force -q");
    assert!(counts(&home.path("m")) == counts(&home.path("whole")));
    // Orders that differ are made into one; what they do not say is not guessed.
    count("b", &["early", "middle"], "early,middle");
    count("c", &["middle", "late"], "middle,late");
    home.ok("merge b c -o n -q");
    assert_eq!(levels(&home, "n"), ["era,early,1", "era,middle,2", "era,late,1"]);
    home.ok("merge n a -o o -q");
    count("c", &["early", "late"], "early,late");
    home.refused("merge b c -o p", &["'late' and 'middle' of 'era' comes first", "--order"]);
    count("c", &["middle", "early"], "middle,early");
    home.refused("merge b c -o p", &["orders of 'era' do not fit together"]);
}

#[test]
fn parts_of_different_word_lists_are_told() {
    let home = Home::new();
    home.write("c.txt", "one two three\n");
    home.write("v.txt", "one\ntwo\n");
    home.write("w.txt", "two\nthree\n");
    for list in ["v", "w"] {
        home.ok(&format!("count c.txt --words {list}.txt -o {list} -q"));
    }
    let told = common::text(&home.covec("merge v w -o m").stderr);
    assert!(told.contains("different --words lists (v.txt, w.txt)"), "{told}");
    home.write("d.txt", "two one three\n");
    home.ok("count d.txt --words v.txt -o x -q");
    let told = common::text(&home.covec("merge v x -o n").stderr);
    assert!(!told.contains("--words"), "{told}");
}

#[test]
fn plain_text_is_one_document_a_line() {
    let home = Home::new();
    home.write("c.txt", "one two\n\nthree one\n");
    home.ok("count c.txt --min-count 1 -o t -q");
    let summary = home.ok("info t");
    assert!(summary.contains("2 documents, 4 words"), "{summary}");
    assert!(!home.ok("info t --show words --format csv").contains("all="));
}

#[test]
fn documents_without_a_covariate_can_be_skipped_and_are_counted() {
    let home = Home::new();
    home.write("c.jsonl", "{\"text\":\"a b\",\"g\":\"x\"}\n{\"text\":\"c d\"}\n{\"text\":\"e\",\"g\":null}\n{\"text\":\"f\",\"g\":\" \"}\n");
    let output = home.covec("count c.jsonl --by g --min-count 1 --missing skip -o t");
    assert!(output.status.success());
    assert!(
        common::text(&output.stderr).contains("3 documents skipped"),
        "{}",
        common::text(&output.stderr)
    );
    assert!(home.ok("info t").contains("1 document,"));
}

#[test]
fn counts_of_somebody_else_say_nothing_of_documents() {
    let home = Home::new();
    home.write("pairs.csv", "a,b,g,n\nx,y,one,3\ny,x,one,3\n");
    home.ok("import pairs.csv --row a --col b --value n --by g -o t -q");
    let rows = home.ok("info t --show levels --format csv");
    assert_eq!(rows.lines().nth(1), Some("g,one,,6,1.0,2,2"));
    home.write("c.txt", "a b a b\n");
    let told = home.covec("count c.txt --min-count 1 -o one");
    assert!(common::text(&told.stderr).contains("one: 1 document, 4 words"));
}

#[test]
fn days_moments_and_amounts_of_parquet_are_levels() {
    let home = Home::new();
    // 21 June 2017, and ten o'clock on the day after.
    let seconds = [1_498_003_200_i64, 1_498_125_600];
    let amounts = Decimal128Array::from_iter_values([150, 225]).with_precision_and_scale(6, 2);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from_iter_values(["a b a", "b a b"]))),
        ("ms", Arc::new(TimestampMillisecondArray::from_iter_values(seconds.map(|s| s * 1000)))),
        (
            "ns",
            Arc::new(
                TimestampNanosecondArray::from_iter_values(seconds.map(|s| s * 1_000_000_000))
                    .with_timezone("UTC"),
            ),
        ),
        ("amount", Arc::new(amounts.unwrap())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    home.write("c.parquet", writer.into_inner().unwrap());
    for (by, levels) in [
        ("ms", ["2017-06-21", "2017-06-22 10:00:00"]),
        ("ns", ["2017-06-21", "2017-06-22 10:00:00"]),
        ("amount", ["1.50", "2.25"]),
        ("amount:1", ["1", "2"]),
    ] {
        home.ok(&format!("count c.parquet --by {by} --min-count 1 -o t --force -q"));
        let rows = home.ok("info t --show levels --format csv");
        let found: Vec<&str> =
            rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
        assert_eq!(found, levels, "{by}");
    }
}

#[test]
fn bytes_that_are_not_utf8_can_be_replaced_and_are_counted() {
    let home = Home::new();
    home.write("c.txt", b"caf\xe9 noir\nplain words\n");
    let output = home.covec("count c.txt --min-count 1 --invalid-utf8 replace -o t");
    assert!(output.status.success());
    assert!(common::text(&output.stderr).contains("1 document with bytes replaced"));
    assert!(home.ok("info t --show words").contains("plain"));
    // A document is one, however many of its fields had such bytes.
    home.write("c.csv", b"text,by\ncaf\xe9 noir,caf\xe9\nplain words,x\n");
    let output = home.covec("count c.csv --by by --min-count 1 --invalid-utf8 replace -o u");
    let told = common::text(&output.stderr);
    assert!(told.contains("1 document with bytes replaced"), "{told}");
}

#[test]
fn a_small_memory_and_many_runs_change_nothing() {
    let home = Home::new();
    // 6 MB of text: at 1M of memory every block of it is counted into a run of its own.
    let mut state = 1_u64;
    let mut corpus = String::new();
    while corpus.len() < 6_000_000 {
        corpus += "{\"g\": \"";
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        corpus += ["x", "y", "z"][(state >> 40) as usize % 3];
        corpus += "\", \"text\": \"";
        for _ in 0..40 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let spread = (state >> 33) % 3000;
            corpus += &format!("w{} ", spread * ((state >> 50) % 64) / 64);
        }
        corpus += "\"}\n";
    }
    home.write("c.jsonl", corpus);
    home.ok("count c.jsonl --by g --min-count 2 -o whole -q --threads 1");
    row_groups_are_cut_at_words(&home.path("whole/entries.parquet"));
    for (memory, threads) in [("1M", 2), ("4M", 1), ("64M", 5)] {
        home.ok(&format!("count c.jsonl --by g --min-count 2 -o t -q --force --memory {memory} --threads {threads}"));
        assert!(counts(&home.path("t")) == counts(&home.path("whole")), "{memory}");
        let run = |name: &str| std::fs::read(home.path(name).join("run.json")).unwrap();
        assert!(run("t") == run("whole"), "{memory}");
    }
}

fn row_groups_are_cut_at_words(path: &std::path::Path) {
    let file = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let groups = file.metadata().row_groups();
    assert!(groups.len() > 1, "too small to say anything: {} row group", groups.len());
    let mut last = None;
    for group in groups {
        let Some(Statistics::Int32(rows)) = group.column(0).statistics() else {
            panic!("no statistics of rows")
        };
        assert!(last < rows.min_opt().copied(), "a word's entries are in two row groups");
        last = rows.max_opt().copied();
    }
    for group in &groups[..groups.len() - 1] {
        assert!(group.num_rows() >= 1 << 20);
    }
}
