//! Benchmarks of counting, training, resampling, answering, the Python package and the explorer. Every result is a ratio of two things measured in the same run, because
//! the machines are noisy and times alone prove nothing.
//!
//! `cargo xtask bench [--corpus FILE] [--only counting|training|resampling|answers|python|explorer]`: the corpus is a text with one document a line, plain or
//! gzip; without one, a corpus of about that size is made by `covec synth`.

mod adagrad;
mod answers;
mod clock;
mod explorer;
mod measure;
mod naive;
mod python;
mod resampling;
mod roofline;
mod training;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use measure::{Cost, middle, pairs, run};

const WINDOW: usize = 8;
const MAX_WORDS: usize = 50_000;
const MIN_COUNT: u64 = 5;

fn main() -> ExitCode {
    match bench() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Bench {
    covec: PathBuf,
    home: tempfile::TempDir,
    rows: Vec<[String; 4]>,
}

fn bench() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let mut corpus = None;
    let mut only = None;
    let mut covec = PathBuf::from("target/release/covec");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--corpus" => corpus = Some(PathBuf::from(value()?)),
            "--only" => only = Some(value()?),
            "--covec" => covec = PathBuf::from(value()?),
            other => {
                return Err(format!(
                    "unknown argument {other}; expected --corpus FILE, --only counting|training|resampling|answers|python|explorer or --covec BINARY"
                ));
            }
        }
    }
    // Not beside the sources: killed, it leaves a corpus behind.
    let home = tempfile::tempdir_in("target").map_err(|e| e.to_string())?;
    let mut bench = Bench { covec, home, rows: Vec::new() };
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    if wanted("counting") || wanted("training") || wanted("resampling") {
        let text = bench.corpus(corpus)?;
        if wanted("counting") {
            bench.naive_and_wc(&text)?;
            bench.threads(&text)?;
            bench.memory(&text)?;
            bench.growth(&text)?;
            bench.levels(&text)?;
        }
        if wanted("training") {
            bench.training(&text)?;
        }
        if wanted("resampling") {
            bench.resampling(&text)?;
        }
    }
    if wanted("answers") {
        bench.answers()?;
    }
    if wanted("python") {
        bench.python()?;
    }
    if wanted("explorer") {
        bench.explorer()?;
    }
    bench.print();
    Ok(())
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn row(&mut self, what: &str, measured: String, ratio: f64, wanted: &str) {
        eprintln!("{what}: {ratio:.2} (wanted: {wanted}; {measured})");
        self.rows.push([what.to_owned(), measured, format!("{ratio:.2}"), wanted.to_owned()]);
    }

    /// The text as a plain file on the disk the benchmark writes to.
    fn corpus(&self, given: Option<PathBuf>) -> Result<PathBuf, String> {
        let plain = self.path("corpus.txt");
        let failed = |e: std::io::Error| e.to_string();
        let mut out = BufWriter::new(File::create(&plain).map_err(failed)?);
        if let Some(given) = given {
            let file = File::open(&given).map_err(|e| format!("{}: {e}", given.display()))?;
            let mut reader: Box<dyn Read> = if given.extension().is_some_and(|e| e == "gz") {
                Box::new(flate2::read::MultiGzDecoder::new(file))
            } else {
                Box::new(file)
            };
            std::io::copy(&mut reader, &mut out).map_err(failed)?;
        } else {
            eprintln!("no --corpus: making one with covec synth");
            let made = self.path("synth.jsonl");
            let synth = "synth --tokens 18e6 --words 20000 --dim 10 --levels 2 -q -o";
            run(Command::new(&self.covec).args(synth.split(' ')).arg(&made))?;
            for line in BufReader::new(File::open(&made).map_err(failed)?).lines() {
                let line: serde_json::Value =
                    serde_json::from_str(&line.map_err(failed)?).map_err(|e| e.to_string())?;
                writeln!(out, "{}", line["text"].as_str().unwrap_or_default()).map_err(failed)?;
            }
        }
        out.flush().map_err(failed)?;
        Ok(plain)
    }

    fn count(&self, corpus: &Path, flags: &str) -> Result<Cost, String> {
        // A fresh place each time: to remove what the run before left is not counting.
        let output = self.path("tensor");
        if output.exists() {
            std::fs::remove_dir_all(&output).map_err(|e| e.to_string())?;
        }
        let common =
            format!("--window {WINDOW} --max-words {MAX_WORDS} --min-count {MIN_COUNT} -q");
        let mut command = Command::new(&self.covec);
        command.arg("count").arg(corpus).arg("-o").arg(&output);
        command.args(common.split(' ')).args(flags.split(' ').filter(|f| !f.is_empty()));
        run(&mut command)
    }

    fn naive_and_wc(&mut self, text: &Path) -> Result<(), String> {
        let begun = Instant::now();
        let pairs = naive::count(text, WINDOW, MIN_COUNT, MAX_WORDS).map_err(|e| e.to_string())?;
        let naive = begun.elapsed().as_secs_f64();
        let covec = middle(|| self.count(text, "--threads 2"))?;
        let measured = format!("{naive:.1} s for {pairs} pairs; covec {:.2} s", covec.seconds);
        self.row(
            "naive hash map, 1 thread / covec count, 2 threads",
            measured,
            naive / covec.seconds,
            "≥ 5",
        );
        let wc = middle(|| run(Command::new("wc").arg("-w").arg(text)))?;
        let measured = format!("wc -w {:.2} s", wc.seconds);
        self.row("covec count, 2 threads / wc -w", measured, covec.seconds / wc.seconds, "≤ 10");
        Ok(())
    }

    fn threads(&mut self, text: &Path) -> Result<(), String> {
        let (ratio, measured) =
            pairs(|| self.count(text, "--threads 1"), || self.count(text, "--threads 2"))?;
        self.row("1 thread / 2 threads", measured, ratio, "≥ 1.7");
        Ok(())
    }

    fn memory(&mut self, text: &Path) -> Result<(), String> {
        for (flag, limit) in [("512M", 512.0), ("4G", 4096.0)] {
            let cost = self.count(text, &format!("--threads 2 --memory {flag}"))?;
            let measured = format!("{:.0} MB of {limit:.0} + 300", cost.megabytes);
            let what = format!("peak memory / (--memory {flag} + 300 MB)");
            self.row(&what, measured, cost.megabytes / (limit + 300.0), "≤ 1");
        }
        Ok(())
    }

    /// Time for a megabyte, from a tenth of the corpus to ten times it.
    fn growth(&mut self, text: &Path) -> Result<(), String> {
        let failed = |e: std::io::Error| e.to_string();
        let whole = std::fs::read(text).map_err(failed)?;
        let mut base = None;
        for tenths in [1, 3, 10, 100] {
            let file = self.path("grown.txt");
            let mut out = BufWriter::new(File::create(&file).map_err(failed)?);
            let mut left = whole.len() / 10 * tenths;
            while left > 0 {
                let part = &whole[..left.min(whole.len())];
                out.write_all(part).map_err(failed)?;
                left -= part.len();
            }
            out.flush().map_err(failed)?;
            drop(out);
            let bytes = std::fs::metadata(&file).map_err(failed)?.len() as f64 / 1e6;
            let cost = middle(|| self.count(&file, "--threads 2 --memory 512M"))?;
            let each = cost.seconds / bytes;
            let first = *base.get_or_insert(each);
            let measured = format!("{:.2} s, {:.0} MB of memory", cost.seconds, cost.megabytes);
            let what = format!("time per MB at {bytes:.0} MB / at the smallest (--memory 512M)");
            self.row(&what, measured, each / first, "about 1 or less: linear");
            std::fs::remove_file(&file).map_err(failed)?;
        }
        Ok(())
    }

    fn levels(&mut self, text: &Path) -> Result<(), String> {
        let failed = |e: std::io::Error| e.to_string();
        let file = self.path("levels.jsonl");
        let mut out = BufWriter::new(File::create(&file).map_err(failed)?);
        for (index, line) in BufReader::new(File::open(text).map_err(failed)?).lines().enumerate() {
            let line = serde_json::Value::from(line.map_err(failed)?);
            writeln!(out, "{{\"one\": \"0\", \"hundred\": \"{}\", \"text\": {line}}}", index % 100)
                .map_err(failed)?;
        }
        out.flush().map_err(failed)?;
        let (ratio, measured) = pairs(
            || self.count(&file, "--threads 2 --by hundred"),
            || self.count(&file, "--threads 2 --by one"),
        )?;
        self.row("100 levels / 1 level", measured, ratio, "≤ 1.3");
        Ok(())
    }

    fn print(&self) {
        println!("| what | measured | ratio | wanted |\n|---|---|---|---|");
        for [what, measured, ratio, wanted] in &self.rows {
            println!("| {what} | {measured} | {ratio} | {wanted} |");
        }
    }
}
