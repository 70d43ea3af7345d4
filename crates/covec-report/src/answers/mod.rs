//! Charts of what the analyses answer: one file a question, rows in, a chart out.

pub mod attribute;
pub mod covariates;
pub mod drift;
pub mod explain;
pub mod neighbors;
pub mod project;
pub mod similarity;
pub mod sparsity;
pub mod specificity;
pub mod topics;

/// `era=1790-1860` → `1790-1860`, for axes whose factor is named elsewhere.
pub(crate) fn short(level: &str) -> &str {
    match level.matches('=').count() {
        1 => level.split_once('=').map_or(level, |(_, name)| name),
        _ => level,
    }
}
