//! What a folder of replicates holds, how they were drawn, and what they are enough for.

use covec::resample::{Plan, Replicates, SureParameters, short};

use super::{lines, listed};
use crate::failure::Failure;
use crate::table::{Format, Printed, thousands};

/// What can be shown of replicates.
pub(super) const SHOWN: [&str; 1] = ["summary"];

pub(super) fn show(replicates: &Replicates, format: Format) -> Result<(), Failure> {
    let facts = facts(replicates);
    if format != Format::Table {
        return listed(facts).print(format, usize::MAX);
    }
    let path = replicates.path.display();
    crate::table::print(&format!("{}\nNext: covec drift model/ --boot {path}\n", lines(&facts)))
}

fn facts(replicates: &Replicates) -> Vec<(&'static str, String)> {
    let Replicates { path, plan, numbers, afresh } = replicates;
    let made = format!("{}, made by covec {} {}", path.display(), plan.covec, plan.stage);
    let from_the_start = match plan.afresh {
        0 => "none".to_owned(),
        every => format!("{}, one draw in {every}", afresh.len()),
    };
    let caution = replicates.caution().map(|caution| ("but", caution.to_owned()));
    let facts = vec![
        ("replicates", made),
        ("of", format!("the model {}", short(&plan.model))),
        ("numbers", format!("{} ({})", thousands(numbers.len() as u64), runs(numbers))),
        ("what is drawn", drawn(plan)),
        ("refits", format!("{} sweeps, seed {}", plan.sweeps, plan.seed)),
        ("fitted from the start", from_the_start),
        ("enough for", enough(replicates)),
    ];
    facts.into_iter().chain(caution).collect()
}

fn drawn(plan: &Plan) -> String {
    let units = match &plan.unit[..] {
        [] => "documents".to_owned(),
        fields => format!("units that agree in {}", fields.join(", ")),
    };
    let within = match &plan.within[..] {
        [] => String::new(),
        names => format!(", within {}", names.join(", ")),
    };
    let units = format!("{} {units}", thousands(plan.units));
    match &plan.factor {
        Some(factor) => format!("{units} exchange their levels of {factor}{within}"),
        None => format!("{units}, with replacement{within}"),
    }
}

/// The surest intervals, or the smallest p.
fn enough(replicates: &Replicates) -> String {
    let parts = replicates.numbers.len() as f64 + 1.0;
    if replicates.is_permutation() {
        return format!("p down to {:.2}: 1 of {parts}; of the shift test to less", 1.0 / parts);
    }
    let usual = SureParameters::default();
    let wanted = format!("those of {} % need {}", 100.0 * usual.confidence, usual.least());
    match 100.0 * (1.0 - 2.0 / parts) {
        percent if percent < 50.0 => format!("no intervals yet; {wanted}"),
        percent if replicates.numbers.len() < usual.least() => {
            format!("intervals of {:.0} %; {wanted}", percent.floor())
        }
        percent => format!("intervals of {:.1} % and less", (10.0 * percent).floor() / 10.0),
    }
}

/// Rising numbers, as runs.
fn runs(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).filter_map(|run| match run {
        [] => None,
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}–{last}")),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_runs() {
        assert_eq!(runs(&[0, 1, 2, 7, 9, 10]), "0–2, 7, 9–10");
        assert_eq!(runs(&[]), "");
    }
}
