//! Lines of the corpus behind what is said of words: one pass over it for all of them.

use std::fmt::Write as _;
use std::path::PathBuf;

use covec::analyse::concordance::{self, Evidence, Request};

use super::figures::{count, counted};
use super::sheet::Sheet;
use super::word::Page;
use super::{Question, ReportError};
use crate::svg::canvas::escape;

/// Lines of each request.
const LINES: usize = 6;
/// Characters to either side.
const WIDTH: usize = 60;

/// What was found, request by request, for every word.
pub(super) type Found = Vec<Vec<(Request, Evidence)>>;

/// Reads the corpus, if one was given.
pub(super) fn ask(question: &Question<'_>, pages: &[Page]) -> Result<Found, ReportError> {
    let wanted: Vec<Vec<Request>> = pages.iter().map(|page| requests(question, page)).collect();
    if question.asked.corpus.is_empty() {
        return Ok(wanted.iter().map(|_| Vec::new()).collect());
    }
    let all = wanted.concat();
    let Question { model, asked, work, .. } = question;
    let found = concordance::evidence(model, asked.corpus, &all, LINES, WIDTH, work)?;
    if !all.is_empty() && found.iter().all(|found| found.found == 0) {
        return Err(ReportError::NoLines);
    }
    let mut found = found.into_iter();
    Ok(wanted.into_iter().map(|own| own.into_iter().zip(found.by_ref()).collect()).collect())
}

/// The word where it moved most: beside what moved closest to it, and anywhere.
fn requests(question: &Question<'_>, page: &Page) -> Vec<Request> {
    let Some(view) = &page.most else { return Vec::new() };
    let closest = page.around.iter().find(|mover| mover.ratio < 1.0);
    let near = closest.and_then(|mover| question.model.word(&mover.other).ok());
    let request = |near| Request { view: view.clone(), word: page.id, near };
    near.map(|near| request(Some(near))).into_iter().chain([request(None)]).collect()
}

pub(super) fn write(question: &Question<'_>, found: &[(Request, Evidence)], sheet: &mut Sheet) {
    let words = &question.model.vocabulary.words;
    for (request, evidence) in found {
        let near = request.near.map_or_else(String::new, |near| format!(" near “{}”", words[near]));
        let word = &words[request.word];
        sheet.small(&format!("“{word}”{near} in {}: lines of the corpus", request.view.name));
        if evidence.lines.is_empty() {
            sheet.text("None: the two are near in company, but do not stand near each other here.");
            continue;
        }
        sheet.note(&format!(
            "{} of {}; which ones is drawn by lot, so that each has the same chance.",
            count(evidence.lines.len() as u64),
            counted(evidence.found, "line"),
        ));
        sheet.raw(&lines(evidence, question.asked.corpus));
    }
}

/// Lines with their word in one column.
fn lines(evidence: &Evidence, corpus: &[PathBuf]) -> String {
    let mut html =
        String::from("<div class=\"scroll lines\" tabindex=\"0\"><table class=\"kwic\"><tbody>\n");
    for line in &evidence.lines {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td> <mark>{}</mark> </td><td>{}</td><td class=\"faint\">{} · {}</td></tr>",
            escape(&line.left),
            escape(&line.written),
            escape(&line.right),
            escape(without_way(&line.document, corpus)),
            escape(&line.level),
        );
    }
    html.push_str("</tbody></table></div>");
    html
}

/// A place in the corpus without the way to the corpus.
fn without_way<'a>(document: &'a str, corpus: &[PathBuf]) -> &'a str {
    let folders = corpus.iter().filter_map(|path| path.parent());
    let own = folders.filter_map(|folder| document.strip_prefix(folder.to_str()?));
    own.map(|rest| rest.trim_start_matches(['/', '\\']))
        .min_by_key(|rest| rest.len())
        .unwrap_or(document)
}
