//! covec for Python: converts, lets go of the interpreter, calls the library once.
//!
//! What users see is in `python/covec`; this module is its engine room. Everything that is asked comes as
//! named texts, as on the command line, so that both are made from the one table of parameters.

// Python hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod array;
mod error;
mod explore;
mod making;
mod model;
mod parameters;
mod rows;
mod spool;
mod task;

/// The engine room of the package `covec`.
#[pyo3::pymodule]
mod _covec {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::explore::Explorer;
    #[pymodule_export]
    use crate::making::{collocates, count, extend, fit, import, merge, replicate, synth, train};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::parameters::{columns, parameters};
    #[pymodule_export]
    use crate::spool::spool;

    /// The version of covec.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
