//! What stands near words more than chance, as rows.

use covec::tensor::Tensor;
use covec::tensor::collocates::{CollocateParameters, Collocates, find};
use covec::{Error, Work};
use serde_json::json;

use crate::{Asked, Table, Told};

/// Collocates of a word in a level, unless more are asked for.
const ROWS: usize = 10;

/// Asks a tensor, which needs no model.
pub fn answer(tensor: &Tensor, asked: &Asked, work: &Work<'_>) -> Result<Told, Error> {
    let mut parameters = CollocateParameters::default();
    asked.take(CollocateParameters::TABLE, |name, text| parameters.set(name, text))?;
    let lists = find(tensor, asked.texts("word"), asked.texts("in"), &parameters, work)?;
    let most = asked.number("n")?.unwrap_or(ROWS);
    let empty = lists.iter().filter(|list| list.rows.is_empty());
    let notes = empty.map(|list| format!("'{}' in {}: {}", list.word, list.level, why_empty(list)));
    Ok(Told { notes: notes.collect(), ..rows(&lists, most).into() })
}

/// One row for every word, level and collocate.
pub fn rows(lists: &[Collocates], most: usize) -> Table {
    let columns = [
        "level",
        "word",
        "collocate",
        "score",
        "count",
        "expected",
        "collocate_occurs",
        "word_occurs",
    ];
    let mut table = Table::new(columns);
    for list in lists {
        for row in list.rows.iter().take(most) {
            table.push(vec![
                json!(list.level),
                json!(list.word),
                json!(row.word),
                json!(row.score),
                json!(row.count),
                json!(row.expected),
                json!(row.occurrences),
                json!(list.occurrences),
            ]);
        }
    }
    table
}

/// What to say of a list without rows.
pub fn why_empty(list: &Collocates) -> &'static str {
    if list.occurrences == 0 { "does not occur" } else { "nothing sure" }
}
