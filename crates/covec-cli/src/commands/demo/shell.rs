//! Command lines that a user can paste.

use std::path::Path;

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:\\~".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// This program, as it was called.
pub(super) fn program() -> String {
    std::env::args_os().next().map_or_else(|| "covec".to_owned(), |name| quoted(Path::new(&name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_gets_them() {
        assert_eq!(quoted(Path::new("covec-demo/tensor")), "covec-demo/tensor");
        assert_eq!(quoted(Path::new("it's here")), r"'it'\''s here'");
    }
}
