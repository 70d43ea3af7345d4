//! Rows as CSV, the same from every door.

use serde_json::Value;

/// A line for the columns, then one for every row; texts as they are, nothing where there is no value.
///
/// # Errors
/// If a row has more or fewer values than there are columns.
pub fn csv<'a>(
    columns: &[String],
    rows: impl Iterator<Item = &'a [Value]>,
) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns)?;
    for row in rows {
        writer.write_record(row.iter().map(exact))?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A value for a program.
pub fn exact(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
