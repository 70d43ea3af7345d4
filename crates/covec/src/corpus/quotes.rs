//! Quotation marks of CSV and TSV, watched as the bytes go by.
//!
//! The reader of tables takes whatever comes: a field whose quote closes in the middle of it, or never, swallows the
//! records after it without a word. So its input is looked at before it gets it. A mark opens a field if the field begins
//! with it; inside, two marks are one of the text, and a single one must be the field's end. A mark in the middle of a field
//! that did not begin with one is a character like others.
//!
//! Cost: from mark to mark by way of `memchr`, so that text without marks costs next to nothing.

/// A quoted field that does not end as it must. Lines are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a quoted field that does not end as it must")]
pub(super) struct QuoteFault {
    /// Where the field begins.
    pub(super) opened: u64,
    /// Where it closes, and the byte that follows; none if it is open at the end of the file.
    pub(super) closed: Option<(u64, u8)>,
}

impl QuoteFault {
    /// What is wrong, and what to do.
    pub(super) fn told(self) -> String {
        let problem = match self.closed {
            None => "the record that begins here is still open at the end of the file".to_owned(),
            Some((line, next)) => {
                let line = if line == self.opened {
                    "in the same line".to_owned()
                } else {
                    format!("in line {line}")
                };
                let next = next.escape_ascii();
                format!("a field that begins here closes {line}, but goes on with '{next}'")
            }
        };
        format!(
            "{problem}\n  way out: close the field, write a quotation mark inside it twice (\"\"), or take the quotation mark away \
             from its beginning"
        )
    }
}

/// Where the watch stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not in a quoted field.
    Outside,
    /// In one that began in this line; 0 while its bytes are still those being looked at.
    Inside(u64),
    /// The same, and the last byte was a mark: the next one says what it meant.
    Closing(u64),
}

/// Follows the quotation marks of one file.
#[derive(Debug)]
pub(super) struct Quotes {
    delimiter: u8,
    state: State,
    /// The byte before those that come next.
    before: u8,
    /// Line of the byte that comes next.
    line: u64,
    begun: bool,
    fault: Option<QuoteFault>,
}

impl Quotes {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::Outside, before: b'\n', line: 1, begun: false, fault: None }
    }

    /// Looks at what was read. Returns how many of these bytes are in order: all of them, or those
    /// before a fault.
    pub(super) fn watch(&mut self, bytes: &[u8]) -> usize {
        if self.fault.is_some() {
            return 0;
        }
        let mark = if self.begun { 0 } else { bom(bytes) };
        self.begun |= !bytes.is_empty();
        let line_of =
            |at: usize| self.line + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
        let ends = |byte: u8| matches!(byte, b'\n' | b'\r') || byte == self.delimiter;
        let mut state = self.state;
        // Where the field began, if it did so among these bytes.
        let mut opened = None;
        let mut at = mark;
        while at < bytes.len() {
            match state {
                State::Outside => {
                    // Where one field is quoted, the next one often is too.
                    if bytes[at] != b'"' {
                        let Some(found) = memchr::memchr(b'"', &bytes[at..]) else { break };
                        at += found;
                    }
                    let before = if at > mark { bytes[at - 1] } else { self.before };
                    if ends(before) {
                        (state, opened) = (State::Inside(0), Some(at));
                    }
                    at += 1;
                }
                State::Inside(line) => {
                    let Some(found) = memchr::memchr(b'"', &bytes[at..]) else { break };
                    state = State::Closing(line);
                    at += found + 1;
                }
                State::Closing(line) => {
                    let next = bytes[at];
                    if next == b'"' {
                        state = State::Inside(line);
                    } else if ends(next) {
                        state = State::Outside;
                    } else {
                        let opened = opened.map_or(line, line_of);
                        self.fault = Some(QuoteFault { opened, closed: Some((line_of(at), next)) });
                        return at;
                    }
                    at += 1;
                }
            }
        }
        let told = |line: u64| opened.map_or(line, line_of);
        self.state = match state {
            State::Outside => State::Outside,
            State::Inside(line) => State::Inside(told(line)),
            State::Closing(line) => State::Closing(told(line)),
        };
        self.line = line_of(bytes.len());
        self.before = bytes[mark..].last().copied().unwrap_or(self.before);
        bytes.len()
    }

    /// The fault that stopped the watch, or that there is if the file ends here.
    pub(super) fn fault(&self, ended: bool) -> Option<QuoteFault> {
        match self.state {
            State::Inside(opened) if ended => {
                self.fault.or(Some(QuoteFault { opened, closed: None }))
            }
            _ => self.fault,
        }
    }
}

/// The length of a byte order mark, which the reader takes away.
fn bom(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the watch says of a text that comes in pieces of this size.
    fn fault(text: &[u8], size: usize) -> Option<QuoteFault> {
        let mut quotes = Quotes::new(b',');
        for piece in text.chunks(size) {
            if quotes.watch(piece) < piece.len() {
                break;
            }
        }
        quotes.fault(true)
    }

    /// Byte by byte, as the rule is told.
    fn obvious(text: &[u8]) -> Option<QuoteFault> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let line = |at: usize| 1 + text[..at].iter().filter(|&&b| b == b'\n').count() as u64;
        let ends = |byte: u8| b",\r\n".contains(&byte);
        let mut at = 0;
        while at < text.len() {
            if text[at] != b'"' || !(at == 0 || ends(text[at - 1])) {
                at += 1;
                continue;
            }
            let opened = line(at);
            at += 1;
            loop {
                match (text.get(at), text.get(at + 1)) {
                    (None, _) => return Some(QuoteFault { opened, closed: None }),
                    (Some(b'"'), Some(b'"')) => at += 2,
                    (Some(b'"'), None) => return None,
                    (Some(b'"'), Some(&next)) if ends(next) => break,
                    (Some(b'"'), Some(&next)) => {
                        return Some(QuoteFault { opened, closed: Some((line(at + 1), next)) });
                    }
                    _ => at += 1,
                }
            }
            at += 1;
        }
        None
    }

    proptest! {
        #[test]
        fn the_watch_says_what_the_rule_says_however_the_bytes_come(
            text in "\u{feff}?[\"\"\",,\n\ra]{0,40}",
            size in 3_usize..50,
        ) {
            prop_assert_eq!(fault(text.as_bytes(), size), obvious(text.as_bytes()));
        }
    }
}
