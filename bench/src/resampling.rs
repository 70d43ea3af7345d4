//! What a replicate of a bootstrap costs, against the fit it starts from.

use std::path::Path;
use std::process::Command;

use crate::Bench;
use crate::measure::{Cost, pairs, run};

/// Replicates that are timed, beyond the first: as many as one of them is fitted from the start as well.
const MORE: u32 = 12;

impl Bench {
    pub(crate) fn resampling(&mut self, text: &Path) -> Result<(), String> {
        let corpus = self.levelled(text)?;
        let fit = || {
            let mut command = Command::new(&self.covec);
            command.arg("fit").arg(&corpus).arg("-o").arg(self.path("fitted"));
            run(command.args("--by five --force -q".split(' ')))
        };
        let draw = |replicates: u32| {
            let mut command = Command::new(&self.covec);
            command.arg("bootstrap").arg(&corpus).arg("--model").arg(self.path("fitted"));
            command.arg("-o").arg(self.path("drawn")).arg("-B").arg(replicates.to_string());
            run(command.args("--force -q".split(' ')))
        };
        // Reading the corpus and the reference are paid once, whatever the number of replicates.
        let replicate = || -> Result<Cost, String> {
            let (one, more) = (draw(1)?, draw(1 + MORE)?);
            let seconds = (more.seconds - one.seconds) / f64::from(MORE);
            Ok(Cost { seconds, megabytes: more.megabytes })
        };
        fit()?;
        let (ratio, measured) = pairs(replicate, fit)?;
        self.row("a replicate: count, refit / the first fit", measured, ratio, "≤ 0.25");
        Ok(())
    }
}
