//! Lines of the corpus in which words occur.

use covec::Error;
use covec::analyse::View;
use covec::analyse::concordance::Request;

use crate::question::refused;
use crate::{Question, Table, Told, evidence};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, most, .. } = question;
    let views = match asked.texts("in") {
        [] => vec![View::base()],
        _ => question.views()?,
    };
    let near = asked.text("near").map(|near| model.word(near)).transpose()?;
    let mut requests = Vec::new();
    for word in question.words()? {
        let word = model.word(word)?;
        requests.extend(views.iter().map(|view| Request { view: view.clone(), word, near }));
    }
    let found = evidence::find(question, &requests, *most)?;
    if found.iter().all(|found| found.found == 0) {
        return Err(refused(
            format!("no line in the corpus has {}", question.words()?.join(" or ")),
            "the corpus the model was counted from",
            "check --corpus, or leave out --in or --near",
        ));
    }
    let all: u64 = found.iter().map(|found| found.found).sum();
    let lines: Vec<_> = found.into_iter().flat_map(|found| found.lines).collect();
    Ok(Told::from(Table::of(&lines)).noting(format!("{} of {all} lines", lines.len())))
}
