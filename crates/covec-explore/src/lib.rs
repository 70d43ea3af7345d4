//! The explorer: a page for looking into a model, served on this machine alone.
//!
//! * **In:** a model; its corpus, replicates and a grouping of its levels where they are at hand ([`Sources`]).
//! * **Out:** a server ([`Server`]) with pages for people and, under `/api/v1`, the rows behind them for programs;
//!   `/api/v1/openapi.json` says what can be asked.
//! * **Invariants:** rows are those of [`covec::analyse`] as the command line prints them, pictures those of
//!   [`covec_report`]; nothing is written, no path is ever made from what a request says; no request can stop
//!   the server or make it wait for another for long.
//! * **Cost:** that of the analyses; an answer is kept and given again.
//!
//! ```no_run
//! use covec_explore::{Desk, Server, Sources};
//!
//! let desk = Desk::open(&Sources { model: "model/".into(), ..Sources::default() })?;
//! let server = Server::start(desk, "127.0.0.1", None)?;
//! println!("{}", server.url());
//! server.stop();
//! # Ok::<(), covec_explore::ExploreError>(())
//! ```

mod api;
mod desk;
mod error;
mod fault;
mod guard;
mod questions;
mod server;
mod site;

pub use desk::{Desk, Sources};
pub use error::ExploreError;
pub use server::Server;
