//! Parameters that are not the defaults.

use covec::tensor::CountParameters;
use covec::train::TrainParameters;
use serde::Serialize;
use serde_json::Value;

/// A parameter that was set.
#[derive(Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) stage: &'static str,
    pub(super) name: String,
    pub(super) value: String,
    pub(super) default: String,
}

/// What differs from the defaults in counting and training.
pub(super) fn settings(count: Option<&CountParameters>, train: &TrainParameters) -> Vec<Setting> {
    let mut settings = Vec::new();
    if let Some(count) = count {
        compare("count", count, &CountParameters::default(), &mut settings);
    }
    compare("train", train, &TrainParameters::default(), &mut settings);
    settings
}

fn compare<P: Serialize>(stage: &'static str, own: &P, default: &P, found: &mut Vec<Setting>) {
    let value = |parameters| serde_json::to_value(parameters).unwrap_or_default();
    leaves(stage, "", &value(own), &value(default), found);
}

/// Walks down to single values; groups of parameters have no name of their own.
fn leaves(stage: &'static str, name: &str, own: &Value, default: &Value, found: &mut Vec<Setting>) {
    match (own, default) {
        (Value::Object(own), Value::Object(default)) => {
            for (name, own) in own {
                leaves(stage, name, own, default.get(name).unwrap_or(&Value::Null), found);
            }
        }
        _ if own != default => found.push(Setting {
            stage,
            name: format!("--{}", name.replace('_', "-")),
            value: told(own),
            default: told(default),
        }),
        _ => {}
    }
}

/// A value as users write it.
fn told(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(told).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name} {}", told(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_set_is_told() {
        assert_eq!(settings(Some(&CountParameters::default()), &TrainParameters::default()), []);
        let mut train = TrainParameters::default();
        train.set("dim", "7").unwrap();
        let found = settings(None, &train);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].value.as_str()), ("--dim", "7"));
    }
}
