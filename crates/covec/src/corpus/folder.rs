//! A folder of texts: every file is one document, its path may carry covariates.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::Plan;
use super::batch::{Field, Sink, Spot};
use super::compressed::Unpacked;
use super::source::Source;
use crate::error::Error;

/// Reads the file, hands over its document, and returns size and digest.
pub(crate) fn document(
    source: &Source,
    total: &Arc<AtomicU64>,
    sink: &mut Sink<'_>,
) -> Result<(u64, String), Error> {
    let plan = sink.plan;
    let input = Unpacked::open(source, total)?;
    let digested = input.digested();
    let bytes = input.read_all(plan.parameters.max_document.0)?;
    let digested = digested.finish();
    let spot = Spot { file: sink.file, line: 0, unit: "line" };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let text = sink.decode(bytes, spot)?;
    let mut fields = vec![Field::Absent; plan.fields.len()];
    fields[Plan::TEXT] = Field::Text(text);
    if let Some(id) = plan.id() {
        // A text file has no fields; its path is what tells it apart.
        fields[id] = Field::Text((&source.told).into());
    }
    let there = || {
        "none: a text file has no fields (--by folder or --by name:REGEX read its path)".to_owned()
    };
    sink.take(spot, Some(&source.told), fields, there)?;
    Ok(digested)
}
