//! The explorer, served from within Python.

use std::path::PathBuf;

use covec_explore::{Desk, ExploreError, Server, Sources};
use pyo3::prelude::*;

use crate::error::{exception, in_python, raise};

/// A page that is served until it is stopped, or nobody holds it any more.
#[pyclass(module = "covec")]
pub(crate) struct Explorer {
    server: Option<Server>,
    url: String,
}

#[pymethods]
impl Explorer {
    /// Opens all that is explored and begins to serve it.
    #[staticmethod]
    fn start(
        py: Python<'_>,
        model: PathBuf,
        corpus: Vec<PathBuf>,
        boot: Vec<PathBuf>,
        host: &str,
        port: Option<u16>,
    ) -> PyResult<Self> {
        let sources = Sources { model, corpus, boot, ..Sources::default() };
        let started = py.detach(|| Server::start(Desk::open(&sources)?, host, port));
        let server = started.map_err(|error| match error {
            ExploreError::Covec(error) => exception(py, &error),
            other => raise(py, "ExploreError", &in_python(&other.to_string())),
        })?;
        Ok(Self { url: server.url(), server: Some(server) })
    }

    /// Where the page is.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Whether it is still served.
    #[getter]
    fn running(&self) -> bool {
        self.server.is_some()
    }

    /// Ends it.
    fn stop(&mut self, py: Python<'_>) {
        let server = self.server.take();
        py.detach(|| drop(server));
    }
}
