//! Numbers that NumPy reads where they are, without a copy.

use std::sync::Arc;

use covec::model::Model;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Numbers of a model, or such as were made of it. `numpy.asarray` makes a view of them, which keeps
/// them alive.
#[pyclass(frozen, module = "covec._covec")]
pub(crate) struct Array {
    numbers: Numbers,
    shape: Vec<usize>,
}

enum Numbers {
    /// Mapped from the model's file: not to be written to.
    Of(Arc<Model>, fn(&Model) -> &[f32]),
    Held(Vec<f32>),
    Whole(Vec<u64>),
}

impl Array {
    pub(crate) fn of(model: &Arc<Model>, numbers: fn(&Model) -> &[f32], columns: usize) -> Self {
        let shape = vec![numbers(model).len() / columns.max(1), columns];
        Self { numbers: Numbers::Of(Arc::clone(model), numbers), shape }
    }

    pub(crate) fn matrix(numbers: Vec<f32>, columns: usize) -> Self {
        let shape = vec![numbers.len() / columns.max(1), columns];
        Self { numbers: Numbers::Held(numbers), shape }
    }

    pub(crate) fn list(numbers: Vec<f32>) -> Self {
        let shape = vec![numbers.len()];
        Self { numbers: Numbers::Held(numbers), shape }
    }

    pub(crate) fn whole(numbers: Vec<u64>) -> Self {
        let shape = vec![numbers.len()];
        Self { numbers: Numbers::Whole(numbers), shape }
    }
}

#[pymethods]
impl Array {
    /// Where the numbers are, as NumPy asks for it (version 3 of its protocol).
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (address, kind, bytes, read_only) = match &self.numbers {
            Numbers::Of(model, numbers) => (numbers(model).as_ptr() as usize, 'f', 4, true),
            Numbers::Held(numbers) => (numbers.as_ptr() as usize, 'f', 4, false),
            Numbers::Whole(numbers) => (numbers.as_ptr() as usize, 'u', 8, false),
        };
        let order = if cfg!(target_endian = "little") { '<' } else { '>' };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", format!("{order}{kind}{bytes}"))?;
        interface.set_item("data", (address, read_only))?;
        interface.set_item("shape", pyo3::types::PyTuple::new(py, &self.shape)?)?;
        Ok(interface)
    }
}
