//! Markdown.

/// A heading, what it is about, and a table.
pub fn section(title: &str, about: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("### {title}\n\n{about}\n\n{}{rule}{rows}\n", line(&head))
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
