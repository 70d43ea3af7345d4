//! Where commands are run and their answers kept.
//!
//! * **In:** recipes ([`Made`]) and questions about what they make.
//! * **Out:** the rows that `covec … --format json` printed, or none, with a line that says why.
//! * **Invariants:** an answer is kept under all commands that led to it, as soon as it is known; what is kept is neither asked
//!   nor made again. A command that fails costs its own answer and no other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::items;
use super::made::{Made, Step, typed};
use super::shelf::read;
use crate::kept::Kept;

/// What begins a path below the folder of the data.
const DATA: &str = "data/";
/// What stands in place of an answer that a command refused, with why.
const REFUSED: &str = "refused";

pub struct Desk {
    covec: PathBuf,
    home: PathBuf,
    data: PathBuf,
    /// Seeds that fits are repeated with.
    pub seeds: u64,
    pub quick: bool,
    /// Whether only what is kept is told.
    pub frozen: bool,
    kept: Kept,
    until: Option<Instant>,
    /// What `covec … --help` says of itself.
    help: BTreeMap<String, Option<String>>,
    commands: Vec<String>,
    shortfalls: BTreeSet<String>,
}

impl Desk {
    pub fn new(
        home: &Path,
        data: &Path,
        seeds: u64,
        quick: bool,
        minutes: f64,
    ) -> Result<Self, String> {
        let absolute = |path: &Path| {
            std::fs::create_dir_all(path)
                .and_then(|()| path.canonicalize())
                .map_err(|e| format!("{}: {e}", path.display()))
        };
        let kept = Kept::open(home)?;
        let until =
            Duration::try_from_secs_f64(60.0 * minutes).ok().map(|left| Instant::now() + left);
        Ok(Self {
            covec: covec()?,
            home: absolute(home)?,
            data: data.canonicalize().map_err(|e| format!("{}: {e}", data.display()))?,
            seeds,
            quick,
            frozen: false,
            kept,
            until,
            help: BTreeMap::new(),
            commands: Vec::new(),
            shortfalls: BTreeSet::new(),
        })
    }

    /// Where a name of a command line really lies.
    pub fn path(&self, name: &str) -> PathBuf {
        match name.strip_prefix(DATA) {
            Some(rest) => self.data.join(rest),
            None => self.home.join(name),
        }
    }

    /// Makes something that a question reads beside its model; whether it is there.
    pub fn prepare(&mut self, made: &Made) -> Result<bool, String> {
        if self.frozen {
            return Ok(false);
        }
        match self.make(made) {
            Ok(()) => Ok(true),
            Err(told) => {
                self.shortfalls.insert(told);
                Ok(false)
            }
        }
    }

    /// The rows of `covec COMMAND OF FLAGS --format json`.
    pub fn ask(
        &mut self,
        of: &Made,
        command: &str,
        flags: &[&str],
    ) -> Result<Option<Value>, String> {
        self.answer(&[of], command, flags, None)
    }

    /// The same with `--boot BOOT`, replicates that error bars are made of.
    pub fn ask_surely(
        &mut self,
        of: &Made,
        boot: &Made,
        command: &str,
        flags: &[&str],
    ) -> Result<Option<Value>, String> {
        let flags = [flags, &["--boot", &boot.name]].concat();
        self.answer(&[of, boot], command, &flags, None)
    }

    /// The picture that `covec COMMAND OF FLAGS --plot NAME.svg` draws.
    pub fn draw(
        &mut self,
        of: &Made,
        command: &str,
        flags: &[&str],
        name: &str,
    ) -> Result<Option<String>, String> {
        let answer = self.answer(&[of], command, flags, Some(name))?;
        Ok(answer.and_then(|svg| svg.as_str().map(str::to_owned)))
    }

    /// `of` is what is asked, and what else must be there.
    fn answer(
        &mut self,
        of: &[&Made],
        command: &str,
        flags: &[&str],
        picture: Option<&str>,
    ) -> Result<Option<Value>, String> {
        let mut words: Vec<String> = vec![command.to_owned()];
        words.extend(of.first().map(|asked| asked.name.clone()));
        words.extend(flags.iter().map(|&flag| flag.to_owned()));
        words.extend(picture.iter().flat_map(|name| ["--plot".to_owned(), format!("{name}.svg")]));
        let line = format!("covec {}", typed(&words));
        words.extend(["--format", "json"].map(str::to_owned));
        self.kept_or(of, &line, |desk| {
            let printed = desk.run(&words)??;
            match picture {
                Some(name) => Ok(json!(read(&desk.home.join(format!("{name}.svg")))?)),
                None => serde_json::from_str(&printed).map_err(|e| format!("{line}: {e}")),
            }
        })
    }

    /// What something that no command says comes to; `what` names it.
    pub fn measure(
        &mut self,
        of: &Made,
        what: &str,
        measure: impl Fn(&Path) -> Result<Value, String>,
    ) -> Result<Option<Value>, String> {
        let path = self.path(&of.name);
        self.kept_or(&[of], &format!("# {what}, {}", of.name), |_| measure(&path))
    }

    /// The answer that is kept under a line and all that led to it, or a new one.
    fn kept_or(
        &mut self,
        of: &[&Made],
        line: &str,
        ask: impl FnOnce(&Self) -> Result<Value, String>,
    ) -> Result<Option<Value>, String> {
        let mut lines: Vec<String> = Vec::new();
        for own in of.iter().flat_map(|made| made.lines()).chain([line.to_owned()]) {
            if !lines.contains(&own) {
                lines.push(own);
            }
        }
        let size = if self.quick { "quick" } else { "full" };
        let key = format!("{size}: {}", lines.join("; "));
        let known = self.kept.get(&key).cloned();
        let refused = known.as_ref().and_then(|known| known.get(REFUSED)).and_then(Value::as_str);
        let refused = refused.map(str::to_owned);
        if let (Some(known), None) = (known, &refused) {
            self.tell(lines);
            return Ok(Some(known));
        }
        // What was refused is asked again where there is time: this may be another covec.
        if !self.able(of)? || self.late(refused) {
            return Ok(None);
        }
        let begun = Instant::now();
        let answer = of.iter().try_for_each(|made| self.make(made)).and_then(|()| ask(self));
        eprintln!("{line}: {:.0} s", begun.elapsed().as_secs_f64());
        match answer {
            Ok(value) => {
                self.kept.put(&key, value.clone())?;
                self.tell(lines);
                Ok(Some(value))
            }
            Err(told) => {
                self.kept.put(&key, json!({REFUSED: told}))?;
                self.shortfalls.insert(told);
                Ok(None)
            }
        }
    }

    /// Notes which commands an answer took.
    fn tell(&mut self, lines: Vec<String>) {
        for line in lines {
            if !self.commands.contains(&line) {
                self.commands.push(line);
            }
        }
    }

    /// Whether this covec has the method that a recipe needs.
    fn able(&mut self, of: &[&Made]) -> Result<bool, String> {
        let method = of.iter().find_map(|made| made.method());
        let Some(method) = method.map(str::to_owned) else { return Ok(true) };
        let able = self.help(&format!("baseline {method}"))?.is_some();
        if !able {
            self.shortfalls.insert(format!("`covec baseline {method}` is not there: skipped"));
        }
        Ok(able)
    }

    /// What a command says of itself; none if there is no such command.
    pub fn help(&mut self, command: &str) -> Result<Option<String>, String> {
        if let Some(known) = self.help.get(command) {
            return Ok(known.clone());
        }
        let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        words.push("--help".to_owned());
        let told = self.run(&words)?.ok();
        self.help.insert(command.to_owned(), told.clone());
        Ok(told)
    }

    /// Whether nothing more is run; then it is said why there is no answer.
    fn late(&mut self, refused: Option<String>) -> bool {
        let late = self.frozen || self.until.is_some_and(|until| Instant::now() > until);
        if late {
            let why = refused.unwrap_or("some of it was not run: time was up".to_owned());
            self.shortfalls.insert(why);
        }
        late
    }

    /// Makes what is not there, or was made otherwise.
    fn make(&mut self, made: &Made) -> Result<(), String> {
        if made.step == Step::Given {
            return Ok(());
        }
        let lines = made.lines().join("\n");
        let (path, mark) = (self.path(&made.name), self.path(&format!("{}.made", made.name)));
        if path.exists() && std::fs::read_to_string(&mark).is_ok_and(|made| made == lines) {
            return Ok(());
        }
        for own in &made.of {
            self.make(own)?;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let begun = Instant::now();
        match &made.step {
            Step::Covec(words) => {
                let more = ["-o", &made.name, "--quiet", "--force"].map(str::to_owned);
                let words = [words.as_slice(), more.as_slice()].concat();
                self.run(&words)??;
            }
            Step::Words => self.write_words(&made.of[0], &path)?,
            Step::Items => items::write(&path, &self.data, &self.words(&made.of[0])?)?,
            Step::Given => {}
        }
        eprintln!("{}: {:.0} s", made.line().unwrap_or_default(), begun.elapsed().as_secs_f64());
        std::fs::write(&mark, lines).map_err(|e| format!("{}: {e}", mark.display()))
    }

    fn write_words(&self, tensor: &Made, path: &Path) -> Result<(), String> {
        let rows = self.words(tensor)?;
        let rows = rows.as_array().into_iter().flatten();
        let list: String =
            rows.filter_map(|row| row["word"].as_str()).map(|word| format!("{word}\n")).collect();
        std::fs::write(path, list).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// The words of a tensor, with how often they occur in every level.
    fn words(&self, tensor: &Made) -> Result<Value, String> {
        let words = ["info", &tensor.name, "--show", "words", "-n", "1000000", "--format", "json"];
        let printed = self.run(&words.map(str::to_owned))??;
        serde_json::from_str(&printed).map_err(|e| e.to_string())
    }

    /// What `covec WORDS` prints; inside, why it failed.
    fn run(&self, words: &[String]) -> Result<Result<String, String>, String> {
        let really = words.iter().map(|word| match word.strip_prefix(DATA) {
            Some(rest) => self.data.join(rest).into_os_string(),
            None => word.into(),
        });
        let output = Command::new(&self.covec)
            .args(really)
            .current_dir(&self.home)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("{}: {e}", self.covec.display()))?;
        if output.status.success() {
            return Ok(Ok(String::from_utf8_lossy(&output.stdout).into_owned()));
        }
        let told = String::from_utf8_lossy(&output.stderr);
        let told = told.lines().find(|line| !line.trim().is_empty()).unwrap_or("failed");
        Ok(Err(format!("`covec {}`: {told}", typed(words))))
    }

    /// The commands since this was asked last, and what fell short.
    pub fn told(&mut self) -> (Vec<String>, BTreeSet<String>) {
        (std::mem::take(&mut self.commands), std::mem::take(&mut self.shortfalls))
    }
}

/// The command, built beside this program.
fn covec() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let name = format!("covec{}", std::env::consts::EXE_SUFFIX);
    // A test lies in a folder below.
    let near = own.ancestors().skip(1).take(2).map(|folder| folder.join(&name));
    near.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        format!("there is no {name} beside {}; cargo build --release --workspace", own.display())
    })
}
