//! One JSON object a line: picks the wanted fields out of it and passes over the rest.

use std::borrow::Cow;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::batch::{Field, Spot};
use super::{CorpusError, Plan};

/// The wanted fields of one line.
pub(crate) fn pick<'a>(
    line: &'a str,
    plan: &Plan,
    spot: Spot<'_>,
) -> Result<Vec<Field<'a>>, CorpusError> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let fields = Pick(&plan.fields)
        .deserialize(&mut deserializer)
        .and_then(|fields| deserializer.end().map(|()| fields));
    let mut fields = fields.map_err(|error| CorpusError::Malformed {
        place: spot.place(),
        expected: "one JSON object a line",
        detail: detail(line, &error),
    })?;
    for (field, name) in fields.iter_mut().zip(&plan.fields) {
        if matches!(field, Field::Scalar(text) if is_rounded(text))
            && let Some(digits) = digits(line, name)
        {
            *field = Field::Scalar(digits.to_owned());
        }
    }
    Ok(fields)
}

/// Whether a number is a whole one beyond 64 bits, which has been rounded on the way.
fn is_rounded(text: &str) -> bool {
    text.len() > 18
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        && text.parse::<i64>().is_err()
        && text.parse::<u64>().is_err()
}

/// The value of an object's field as it is written, if that is nothing but digits. The line has been
/// read already, so it is known to be an object.
fn digits<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = line.trim_start().strip_prefix('{')?;
    let mut found = None;
    while let Some((key, after)) = first::<String>(rest) {
        let after = after.trim_start().strip_prefix(':')?;
        let (_, next) = first::<IgnoredAny>(after)?;
        if key == name {
            // As for all fields: the last one of a name counts.
            found = Some(after[..after.len() - next.len()].trim());
        }
        let Some(next) = next.trim_start().strip_prefix(',') else { break };
        rest = next;
    }
    found.filter(|text| text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()))
}

/// The JSON value a text begins with, and what comes after it.
fn first<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Option<(T, &'a str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let value = values.next()?.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

fn detail(line: &str, error: &serde_json::Error) -> String {
    let hint = if line.trim_start().starts_with('[') {
        "\n  way out: this looks like one JSON array; make lines of it with: jq -c '.[]'"
    } else {
        ""
    };
    // serde_json counts lines too, and always says line 1 here.
    let text = error.to_string();
    format!("{}{hint}", text.replace(" at line 1 column ", " at column "))
}

/// The names of the fields a line has, for messages.
pub(crate) fn names(line: &str) -> String {
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line) {
        Ok(map) if !map.is_empty() => map.keys().cloned().collect::<Vec<_>>().join(", "),
        _ => "none".to_owned(),
    }
}

struct Pick<'p>(&'p [String]);

impl<'de> DeserializeSeed<'de> for Pick<'_> {
    type Value = Vec<Field<'de>>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Pick<'_> {
    type Value = Vec<Field<'de>>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = vec![Field::Absent; self.0.len()];
        while let Some(slot) = map.next_key_seed(Key(self.0))? {
            match slot {
                Some(slot) => fields[slot] = map.next_value_seed(AnyField)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

/// A key, as its slot among the wanted fields.
struct Key<'p>(&'p [String]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a field's name")
    }
    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|field| field == name))
    }
}

struct AnyField;

impl<'de> DeserializeSeed<'de> for AnyField {
    type Value = Field<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyField {
    type Value = Field<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Owned(text)))
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Field::Scalar(value.to_string()))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Field::Scalar(value.to_string()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Field::Scalar(value.to_string()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Field::Scalar(value.to_string()))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Field::Null)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::Other("an object"))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Field::Other("a list"))
    }
}
