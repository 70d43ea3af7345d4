//! Time and peak memory of a command.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Wall time in seconds.
    pub seconds: f64,
    /// Most memory it ever held, in MB; 0 where the system does not tell.
    pub megabytes: f64,
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Result<Cost, String> {
    let begun = Instant::now();
    let mut child =
        command.stdout(Stdio::null()).spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut megabytes: f64 = 0.0;
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            let seconds = begun.elapsed().as_secs_f64();
            return if status.success() {
                Ok(Cost { seconds, megabytes })
            } else {
                Err(format!("{command:?} failed: {status}"))
            };
        }
        // The kernel keeps the high-water mark itself; it only has to be read before the end.
        let peak = std::fs::read_to_string(&status_file).ok().and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_whitespace().nth(1)?.parse::<f64>().ok()
        });
        // It counts in units of 1024 bytes, whatever it calls them.
        megabytes = megabytes.max(peak.unwrap_or(0.0) * 1024.0 / 1e6);
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Two commands, run in turn: the times of each, in order, and the middle of the ratios of the
/// pairs. What disturbs the machine disturbs both of a pair.
pub fn pairs(
    mut first: impl FnMut() -> Result<Cost, String>,
    mut second: impl FnMut() -> Result<Cost, String>,
) -> Result<(f64, String), String> {
    let mut ratios = [0.0; PAIRS];
    let mut told = Vec::new();
    for ratio in &mut ratios {
        let (first, second) = (first()?.seconds, second()?.seconds);
        *ratio = first / second;
        told.push(format!("{first:.2} / {second:.2} s"));
    }
    ratios.sort_by(f64::total_cmp);
    Ok((ratios[PAIRS / 2], told.join(", ")))
}

const PAIRS: usize = 5;

/// The middle one of three runs, by time; the machine is noisy.
pub fn middle(mut once: impl FnMut() -> Result<Cost, String>) -> Result<Cost, String> {
    let mut costs = [once()?, once()?, once()?];
    costs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(costs[1])
}
