//! The explorer on the large model of the answers: how soon its page is there, and how long answers take
//! while fifty questions a second come in.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::Bench;

const PORT: u16 = 7399;
/// Questions a second, and for how many seconds.
const RATE: u32 = 50;
const SECONDS: u32 = 20;

impl Bench {
    pub(crate) fn explorer(&mut self) -> Result<(), String> {
        let folder = self.path("large-model");
        self.large()?.save(&folder, true).map_err(|e| e.to_string())?;
        // Once, so that the files are in memory, as they are where somebody has just trained.
        drop(Running::start(&self.covec, &folder)?);
        let (seconds, running) = Running::start(&self.covec, &folder)?;
        self.row(
            "explorer: from the command to the first page with its model / 1 s",
            format!("{seconds:.2} s"),
            seconds,
            "≤ 1",
        );
        let (mut times, working) = load()?;
        drop(running);
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        self.row(
            "explorer: p99 of answers at 50 questions a second / 100 ms",
            format!(
                "median {:.0} ms, p99 {:.0} ms; {:.1} % were told to ask again",
                at(0.5) * 1e3,
                at(0.99) * 1e3,
                100.0 * working
            ),
            at(0.99) / 0.1,
            "≤ 1",
        );
        Ok(())
    }
}

/// An explorer that ends with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Starts it; with the seconds until the page and the model's facts were there.
    fn start(covec: &std::path::Path, model: &std::path::Path) -> Result<(f64, Self), String> {
        let begun = Instant::now();
        let mut command = Command::new(covec);
        command.arg("explore").arg(model).args(["--port", &PORT.to_string(), "-q"]);
        let child = command.stdout(Stdio::null()).spawn().map_err(|e| e.to_string())?;
        let running = Self(child);
        while begun.elapsed() < Duration::from_secs(60) {
            if ask("/").is_ok() && ask("/api/v1/model").is_ok_and(|status| status == 200) {
                return Ok((begun.elapsed().as_secs_f64(), running));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err("the explorer did not start".to_owned())
    }
}

/// Asks once; the status.
fn ask(target: &str) -> Result<u16, String> {
    let failed = |e: std::io::Error| e.to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", PORT)).map_err(failed)?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).map_err(failed)?;
    let head =
        format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).map_err(failed)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(failed)?;
    let text = String::from_utf8_lossy(&answer[..answer.len().min(16)]).into_owned();
    text.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or(format!("not HTTP: {text}"))
}

/// What people ask who look words up: they type, open a word, go from level to level, look at a neighbour.
fn question(number: u32) -> String {
    let word = number.wrapping_mul(7919) % 20_000;
    let other = (word + 1 + number % 50) % 20_000;
    match number % 10 {
        0..4 => format!("/api/v1/words?prefix=w{}", word % 1000),
        4 => format!("/api/v1/neighbors?word=w{word}&in=base&in=group-{:03}", 1 + number % 100),
        5 | 6 => format!("/api/v1/similarity?a=w{word}&b=w{other}"),
        7 => format!("/api/v1/drift?word=w{word}&from=base&to=group-{:03}", 1 + number % 100),
        8 => format!("/api/v1/neighbors?word=w{}&in=base&in=group-004", number % 7),
        _ => format!("/api/v1/explain?a=w{word}&b=w{other}&from=base&to=group-004"),
    }
}

/// Questions at their time, whether or not earlier ones are answered; the seconds of each, and the share that was
/// told to ask again.
fn load() -> Result<(Vec<f64>, f64), String> {
    let (sender, receiver) = mpsc::channel();
    let begun = Instant::now();
    for number in 0..RATE * SECONDS {
        let due = Duration::from_secs_f64(f64::from(number) / f64::from(RATE));
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        let sender = sender.clone();
        std::thread::spawn(move || {
            let asked = Instant::now();
            let status = ask(&question(number));
            let _ = sender.send((status, asked.elapsed().as_secs_f64()));
        });
    }
    drop(sender);
    let (mut times, mut working) = (Vec::new(), 0.0);
    for (status, seconds) in receiver {
        match status? {
            200 => {}
            202 | 429 => working += 1.0,
            other => return Err(format!("the explorer answered {other}")),
        }
        times.push(seconds);
    }
    let all = times.len() as f64;
    Ok((times, working / all))
}
