//! Something that a command makes, and all that must be made before it.
//!
//! A recipe, not the thing: nothing is run until the [`Desk`](super::desk::Desk) needs it. Two recipes are the same if the
//! whole chain of commands is, so what was made by another chain is made anew.

/// A folder or a file in the working folder, with how it comes about.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Its path in the working folder.
    pub name: String,
    pub step: Step,
    /// What the step reads.
    pub of: Vec<Made>,
}

/// How something comes about.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `covec …`, without `-o NAME`.
    Covec(Vec<String>),
    /// The words of a tensor, a line each.
    Words,
    /// The items of the test sets whose words occur in each level of a tensor, a folder for each.
    Items,
    /// It is there already: a corpus.
    Given,
}

impl Made {
    /// A corpus, in the working folder or below `data/`.
    pub fn given(name: impl Into<String>) -> Self {
        Self { name: name.into(), step: Step::Given, of: Vec::new() }
    }

    /// The words of a tensor as a list.
    pub fn words(tensor: &Self) -> Self {
        let name = format!("{}.txt", tensor.name);
        Self { name, step: Step::Words, of: vec![tensor.clone()] }
    }

    /// The items of the test sets that every level of a tensor can be asked.
    pub fn items(tensor: &Self) -> Self {
        let name = format!("{}.items", tensor.name);
        Self { name, step: Step::Items, of: vec![tensor.clone()] }
    }

    /// What `covec COMMAND OF FLAGS` makes.
    pub fn by(name: impl Into<String>, command: &str, of: &Self, flags: &[&str]) -> Self {
        let words = command.split(' ').map(str::to_owned).chain([of.name.clone()]);
        let words = words.chain(flags.iter().map(|&flag| flag.to_owned())).collect();
        Self { name: name.into(), step: Step::Covec(words), of: vec![of.clone()] }
    }

    /// The same, which also reads something else, named by a flag.
    pub fn with(mut self, flag: &str, other: &Self) -> Self {
        if let Step::Covec(words) = &mut self.step {
            words.extend([flag.to_owned(), other.name.clone()]);
        }
        self.of.push(other.clone());
        self
    }

    /// How it is made, as one types it.
    pub fn line(&self) -> Option<String> {
        match &self.step {
            Step::Covec(words) => Some(format!("covec {} -o {}", typed(words), self.name)),
            Step::Words => Some(format!(
                "covec info {} --show words -n 1000000 --format csv | tail -n +2 | cut -d, -f2 > {}",
                self.of.first().map_or("", |tensor| &tensor.name),
                self.name
            )),
            Step::Items => Some(format!(
                "# {}/LEVEL/TEST.csv: the items whose words occur in the level, by covec info {} --show words",
                self.name,
                self.of.first().map_or("", |tensor| &tensor.name),
            )),
            Step::Given => None,
        }
    }

    /// All lines that lead to it, the first command first.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for line in self.of.iter().flat_map(Made::lines).chain(self.line()) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// The method of `covec baseline` that is needed on the way, if any.
    pub fn method(&self) -> Option<&str> {
        let own = match &self.step {
            Step::Covec(words) if words.first().is_some_and(|word| word == "baseline") => {
                words.get(1).map(String::as_str)
            }
            _ => None,
        };
        own.or_else(|| self.of.iter().find_map(Made::method))
    }
}

/// Words as one types them.
pub fn typed(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
    let word = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{word}'"),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_tells_all_its_commands_in_order() {
        let books = Made::given("books");
        let by = "name:(?<book>.+)[.]txt";
        let all = Made::by("all", "count", &books, &["--by", by]);
        let tensor =
            Made::by("tensor", "count", &books, &["--by", by]).with("--words", &Made::words(&all));
        let model = Made::by("model", "baseline pooled", &tensor, &[]);
        assert_eq!(
            model.lines(),
            [
                "covec count books --by 'name:(?<book>.+)[.]txt' -o all",
                "covec info all --show words -n 1000000 --format csv | tail -n +2 | cut -d, -f2 > all.txt",
                "covec count books --by 'name:(?<book>.+)[.]txt' --words all.txt -o tensor",
                "covec baseline pooled tensor -o model",
            ]
        );
        assert_eq!(model.method(), Some("pooled"));
        assert_eq!(tensor.method(), None);
    }
}
