//! What Python adds: a fit of a data frame against the command line's of the same documents, and a call
//! against the library's.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use covec::Work;
use covec::analyse::neighbors::neighbors;
use covec::analyse::{SupportParameters, View};
use covec::model::Model;

use crate::Bench;
use crate::measure::{Cost, pairs, run};

const FIT: &str = "--by group --dim 50 --seed 1";
const CALLS: usize = 200;

impl Bench {
    pub(crate) fn python(&mut self) -> Result<(), String> {
        let (corpus, model) = (self.path("groups.jsonl"), self.path("groups-model"));
        let synth = "synth --tokens 2e6 --words 5000 --levels 3 -q -o";
        run(Command::new(&self.covec).args(synth.split(' ')).arg(&corpus))?;
        let fit = || {
            let mut command = Command::new(&self.covec);
            command.arg("fit").arg(&corpus).arg("-o").arg(&model);
            run(command.args(FIT.split(' ')).args(["--force", "-q"]))
        };
        fit()?;
        let (ratio, measured) = pairs(|| self.timed("fit", &corpus), fit)?;
        self.row("covec.fit of a data frame / covec fit", measured, ratio, "≤ 1.1");
        let own = library(&model)?;
        let python = self.timed("neighbors", &model)?.seconds;
        self.row(
            "model.neighbors in Python less the library's / 1 ms",
            format!("{:.2} ms, library {:.2} ms", python * 1e3, own * 1e3),
            (python - own) / 1e-3,
            "≤ 1",
        );
        Ok(())
    }

    /// What `bench/overhead.py` measures, without the start of the interpreter and the reading of the frame.
    fn timed(&self, what: &str, path: &PathBuf) -> Result<Cost, String> {
        let python = std::env::var("COVEC_PYTHON").map_err(|_| {
            "no Python to measure with; cargo xtask bench sets one up (COVEC_PYTHON)".to_owned()
        })?;
        let told = Command::new(python).arg("bench/overhead.py").arg(what).arg(path).output();
        let told = told.map_err(|e| format!("python: {e}"))?;
        let text = String::from_utf8_lossy(&told.stdout);
        let seconds = text.trim().parse();
        let seconds = seconds.map_err(|_| String::from_utf8_lossy(&told.stderr).into_owned())?;
        Ok(Cost { seconds, megabytes: 0.0 })
    }
}

/// The middle time of a call of the library, on the model that Python asks too.
fn library(path: &std::path::Path) -> Result<f64, String> {
    let failed = |error: covec::Error| error.to_string();
    let model = Model::open(path).map_err(failed)?;
    let mut views = View::of_factor(&model, 0);
    views.insert(0, View::base());
    let (support, work) = (SupportParameters::default(), Work::default());
    let word = &model.vocabulary.words[10];
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begun = Instant::now();
        neighbors(&model, word, &views, 10, &support, &work).map_err(failed)?;
        times.push(begun.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[CALLS / 2])
}
