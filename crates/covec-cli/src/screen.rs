//! Progress: one line on a terminal, plain lines now and then where there is none.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use covec::train::Sweep;
use covec::{Observer, Progress};
use indicatif::{ProgressBar, ProgressStyle};

static STOP: AtomicBool = AtomicBool::new(false);

/// Shows progress on standard error.
#[derive(Debug)]
pub(crate) struct Screen {
    quiet: bool,
    terminal: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    stage: &'static str,
    begun: Option<Instant>,
    told: Option<Instant>,
    bar: Option<ProgressBar>,
}

/// Often enough for the eye on a terminal.
const TERMINAL: Duration = Duration::from_millis(100);
/// Rarely enough for a log.
const PLAIN: Duration = Duration::from_secs(5);

impl Screen {
    pub(crate) fn new(quiet: bool) -> Self {
        // Ctrl-C asks the work to stop, which then cleans up behind itself; a second one ends it.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        Self { quiet, terminal: std::io::stderr().is_terminal(), state: Mutex::default() }
    }

    /// A line that a person reads, on standard error.
    pub(crate) fn say(&self, text: &str) {
        if self.quiet {
            return;
        }
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &state.bar {
            Some(bar) => bar.suspend(|| tell(text)),
            None => tell(text),
        }
    }

    /// Takes the progress line away.
    pub(crate) fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = state.bar.take() {
            bar.finish_and_clear();
        }
        *state = State::default();
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Observer for Screen {
    fn progress(&self, progress: Progress) {
        if self.quiet {
            return;
        }
        let Ok(mut state) = self.state.try_lock() else { return };
        let now = Instant::now();
        if state.stage != progress.stage {
            state.stage = progress.stage;
            state.begun = Some(now);
            state.told = Some(now);
        }
        let pause = if self.terminal { TERMINAL } else { PLAIN };
        if state.told.is_some_and(|told| now - told < pause) {
            return;
        }
        state.told = Some(now);
        let line = line(progress, state.begun.map_or(0.0, |begun| (now - begun).as_secs_f64()));
        if self.terminal {
            let bar = state.bar.get_or_insert_with(|| {
                let bar = ProgressBar::new_spinner();
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                    bar.set_style(style);
                }
                bar
            });
            bar.set_message(line);
            bar.tick();
        } else {
            tell(&line);
        }
    }

    fn sweep(&self, sweep: &Sweep) {
        let held_out = sweep.held_out.map_or_else(String::new, |x| format!("  held-out {x:.4}"));
        let zeros: u32 = sweep.zeros.iter().sum();
        let turned = if sweep.turned { "  axes turned" } else { "" };
        self.say(&format!(
            "sweep {:3}  loss {:.5}  objective {:.5}{held_out}  zeros {zeros}{turned}",
            sweep.sweep, sweep.loss, sweep.objective
        ));
    }

    fn note(&self, note: &str) {
        self.say(&format!("note: {note}"));
    }

    fn stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }
}

/// A line on standard error; whoever should read it may have gone, which is no fault of the work.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn line(progress: Progress, seconds: f64) -> String {
    let mut line = progress.stage.to_owned();
    if let Some(share) = progress.share {
        line += &format!("  {:3.0} %", share * 100.0);
    }
    if progress.words > 0 {
        line += &format!("  {} words", short(progress.words as f64));
        if seconds > 0.2 {
            line += &format!("  {} words/s", short(progress.words as f64 / seconds));
        }
    }
    if let Some(share) = progress.share.filter(|share| *share > 0.02 && *share < 1.0)
        && seconds > 1.0
    {
        line += &format!("  {} left", time(seconds * (1.0 - share) / share));
    }
    line
}

/// A number to glance at: 18.8 M.
pub(crate) fn short(x: f64) -> String {
    match x {
        _ if x >= 1e9 => format!("{:.1} G", x / 1e9),
        _ if x >= 1e6 => format!("{:.1} M", x / 1e6),
        _ if x >= 1e4 => format!("{:.0} k", x / 1e3),
        _ => format!("{x:.0}"),
    }
}

fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}
