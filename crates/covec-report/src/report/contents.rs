//! The top of the page: what it is, in a few numbers, and what is where.

use std::fmt::Write as _;

use super::Question;
use super::figures::count;
use super::sheet::Sheet;
use crate::svg::canvas::escape;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) {
    let model = question.model;
    let mut html = format!("<h1>{}</h1>\n", escape(question.asked.name));
    html.push_str(
        "<p class=\"lead\">What a covariate-specific word model found: the topics of a corpus, how its groups of \
         documents weigh them, and which words they use differently.</p>\n<div class=\"tiles\">\n",
    );
    let corpus = model.record.tensor.corpus.as_ref();
    let levels: usize = model.covariates.factors.iter().map(|f| f.levels.len()).sum();
    let tokens = model.covariates.cells.iter().map(|cell| cell.tokens).sum();
    let numbers = [
        (corpus.map(|corpus| corpus.documents), "documents"),
        (Some(corpus.map_or(tokens, |corpus| corpus.tokens)), "words of text"),
        (Some(model.vocabulary.len() as u64), "different words kept"),
        (Some(levels as u64), "groups (levels)"),
        (Some(model.dim as u64), "topics (dimensions)"),
    ];
    for (number, what) in numbers {
        if let Some(number) = number.filter(|number| *number > 0) {
            let _ = writeln!(html, "<div><b>{}</b>{what}</div>", count(number));
        }
    }
    html.push_str("</div>");
    sheet.raw(&html);
    sheet.mark_contents();
    sheet.note(&format!(
        "How to read this page: “base” is the average over the whole corpus; a level, such as {}, is a group of \
         documents. Words that occur fewer than {} times in a level are too rare to say anything of there, and \
         are left out. Numbers describe this corpus; they do not say why texts differ.",
        example(question),
        question.least(),
    ));
}

fn example(question: &Question<'_>) -> String {
    let first = question.compared().next();
    first.map_or_else(|| "one author or one decade".to_owned(), |view| view.name.clone())
}
