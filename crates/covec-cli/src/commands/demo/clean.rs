//! What is not the president's own words goes out of a speech.
//!
//! The rule, made by reading every bracket and every speaker's label of the corpus, line by line (a
//! line is a paragraph there):
//!
//! 1. A line that holds nothing but brackets is a stage note or a note to a table: out.
//! 2. A bracket that says applause, laughter, inaudible or "see APP note", or that holds a digit (a
//!    date, a page, a number put right), is out.
//! 3. Any other bracket belongs to its sentence ("them [the States]"): its words stay, without
//!    "; White House correction". So do the words after a bracket that the line does not close.
//! 4. A line by somebody else ("Audience members.", "Rep. Greene.") is out; the label
//!    "The President." is out, and its line stays.
//! 5. "Jump to Part II", left from the web page, is out.

/// The president's own words.
pub(super) fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim();
        if is_by_another(line) || line.starts_with("Jump to") {
            continue;
        }
        let line = line.strip_prefix("The President.").map_or(line, str::trim_start);
        cleaned += without_notes(line).trim();
        cleaned.push('\n');
    }
    let blank_lines_once: Vec<&str> =
        cleaned.split("\n\n").map(str::trim).filter(|p| !p.is_empty()).collect();
    blank_lines_once.join("\n\n")
}

/// Rules 1 to 3.
fn without_notes(line: &str) -> String {
    let mut kept = String::new();
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('[') {
        let after = &rest[start + 1..];
        kept += &rest[..start];
        outside += &rest[..start];
        match after.find(['[', ']']) {
            Some(end) if after[end..].starts_with(']') => {
                let note = after[..end].trim();
                if !is_note(note) {
                    kept += note.strip_suffix("; White House correction").unwrap_or(note);
                }
                rest = &after[end + 1..];
            }
            _ => rest = after,
        }
    }
    kept += rest;
    outside += rest;
    if outside.trim().is_empty() { String::new() } else { kept.replace(']', "") }
}

/// Rule 2.
fn is_note(note: &str) -> bool {
    let note = note.to_lowercase();
    let said = ["applause", "laughter", "inaudible", "see app note"];
    note.chars().any(|c| c.is_ascii_digit()) || said.iter().any(|said| note.starts_with(said))
}

/// Rule 4: the line begins with a label that is not the president's.
fn is_by_another(line: &str) -> bool {
    if line.starts_with("Audience member. ") || line.starts_with("Audience members. ") {
        return true;
    }
    let titles = ["Representative ", "Rep. ", "Senator ", "Sen. ", "Mr. ", "Mrs. ", "Ms. "];
    let Some(name) = titles.iter().find_map(|title| line.strip_prefix(title)) else { return false };
    // A label is a name that ends in a full stop: "Marjorie Taylor Greene. Liar!"
    for word in name.split(' ') {
        if !word.starts_with(char::is_uppercase) || word.contains(',') {
            return false;
        }
        // An initial's full stop is none.
        if let Some(last) = word.strip_suffix('.')
            && last.chars().count() > 1
        {
            return last.chars().all(|c| c.is_alphabetic() || "'’-".contains(c)) && name != word;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stage_notes_go() {
        for (text, cleaned) in [
            ("We're also—[applause]. We're also restoring", "We're also—. We're also restoring"),
            ("No. [Laughter] They're making", "No.  They're making"),
            ("a very important [see APP Note] transaction", "a very important  transaction"),
            ("Chili, [See APP note.] will become", "Chili,  will become"),
            (
                "[ As delivered in person before a joint session ]\n\nMr. Speaker, friends:",
                "Mr. Speaker, friends:",
            ),
            (
                "[Read before a joint session by a clerk] [See APP Note.]\n\nTo the Congress",
                "To the Congress",
            ),
            ("One.\n\n[Members of the audience spoke over the President.]\n\nTwo.", "One.\n\nTwo."),
            (
                "exports, fiscal years 1908-1910.\n[Exclusive of gold and silver.]\n\nNOTE",
                "exports, fiscal years 1908-1910.\n\nNOTE",
            ),
            ("Jump toPart II |Part III\n\nPart 1.", "Part 1."),
        ] {
            assert_eq!(clean(text), cleaned);
        }
    }

    #[test]
    fn dates_and_pages_of_the_editors_go() {
        assert_eq!(
            clean("on the 3d of March last [1815-03-03], in"),
            "on the 3d of March last , in"
        );
        assert_eq!(
            clean("this provision has [p.3183] been violated"),
            "this provision has  been violated"
        );
    }

    #[test]
    fn brackets_that_belong_to_the_sentence_stay() {
        for (text, cleaned) in [
            (
                "protect each of them [the States] against invasion",
                "protect each of them the States against invasion",
            ),
            ("Clean Air [Act] amendments", "Clean Air Act amendments"),
            ("by you [Mr. Marcy] on the", "by you Mr. Marcy on the"),
            (
                "Senate minority [majority; White House correction] leader",
                "Senate minority majority leader",
            ),
            ("[ set out to reduce the growth", "set out to reduce the growth"),
            (
                "[I repeat, this budget will be balanced. [Laughter]",
                "I repeat, this budget will be balanced.",
            ),
            ("a stray ] here", "a stray  here"),
        ] {
            assert_eq!(clean(text), cleaned);
        }
    }

    #[test]
    fn only_the_president_speaks() {
        let text = "The President. Folks, it's simply not fair.\n\nAudience members. U.S.A.! U.S.A.!\n\n\
                    Representative W. Andrew Ogles IV. It's your fault!\n\nRep. Greene. Liar, liar!\n\n\
                    Mr. Nikoui. [Inaudible]\n\nThe President. [Laughter] Great.";
        assert_eq!(clean(text), "Folks, it's simply not fair.\n\nGreat.");
        for own in [
            "Mr. W. Godfrey Hunter has likewise been accredited. He is",
            "Mr. Speaker, Mr. President, Members of the Congress:",
            "Mr. Speaker, it was a powerful moment",
            "Senator Russell served well. He",
            "The Vice President also traveled to Brazil. The",
        ] {
            assert_eq!(clean(own), own);
        }
    }
}
