//! Names of rows, as a format can hold them.

use std::collections::HashMap;

use super::{Format, Spaces, refused};
use crate::error::Error;

/// What a format has no place for inside a name.
fn breaks(format: Format, c: char) -> bool {
    match format {
        // Readers split at spaces, some of them at any white space there is.
        Format::Word2vec | Format::Word2vecBinary | Format::Glove => c.is_whitespace(),
        Format::Projector => matches!(c, '\t' | '\n' | '\r'),
        // Texts of fixed width are filled up with zeros.
        Format::Numpy => c == '\0',
        Format::Csv => false,
    }
}

/// The names as they are written; refused where one cannot be, or where two that are `distinct`
/// would be written alike.
pub(super) fn fit(
    names: &mut [String],
    distinct: bool,
    format: Format,
    spaces: Spaces,
) -> Result<(), Error> {
    let mut bent: HashMap<String, String> = HashMap::new();
    for name in names.iter_mut().filter(|name| name.chars().any(|c| breaks(format, c))) {
        if spaces == Spaces::Refuse {
            return Err(refused(
                format!("{name:?} cannot be written: this format has no place for white space inside a word"),
                "--spaces underscore, or --format numpy or csv",
            )
            .into());
        }
        let own: String = name.chars().map(|c| if breaks(format, c) { '_' } else { c }).collect();
        bent.insert(own.clone(), std::mem::replace(name, own));
    }
    if bent.is_empty() || !distinct {
        return Ok(());
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for name in names.iter() {
        let times = seen.entry(name).or_default();
        *times += 1;
        if *times == 2
            && let Some(other) = bent.get(name)
        {
            let problem = format!("{other:?} and another word would both be written {name:?}");
            return Err(refused(problem, "--format numpy or csv, which keep them apart").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(names: &[&str], format: Format, spaces: Spaces) -> Result<Vec<String>, String> {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        fit(&mut names, true, format, spaces).map_err(|e| e.to_string()).map(|()| names)
    }

    #[test]
    fn white_space_is_refused_bent_or_kept() {
        let names = ["new york", "a\tb"];
        let told = fitted(&names, Format::Glove, Spaces::Refuse).unwrap_err();
        assert!(told.contains("\"new york\"") && told.contains("--spaces underscore"), "{told}");
        assert_eq!(fitted(&names, Format::Glove, Spaces::Underscore).unwrap(), ["new_york", "a_b"]);
        assert_eq!(fitted(&names, Format::Csv, Spaces::Refuse).unwrap(), names);
        assert_eq!(
            fitted(&names, Format::Projector, Spaces::Underscore).unwrap(),
            ["new york", "a_b"]
        );
    }

    #[test]
    fn no_two_words_are_written_alike() {
        for names in [["a b", "a_b"], ["a_b", "a b"], ["a b", "a\tb"]] {
            let told = fitted(&names, Format::Word2vec, Spaces::Underscore).unwrap_err();
            assert!(told.contains("\"a_b\""), "{told}");
        }
    }
}
