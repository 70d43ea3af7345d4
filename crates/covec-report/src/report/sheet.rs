//! The page as sections are written onto it: headings with anchors, texts, tables, choices.

use std::fmt::Write as _;

use super::table::Table;
use crate::page::Page;
use crate::svg::canvas::escape;
use crate::{Chart, ChartError};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// A page in the making.
pub(super) struct Sheet {
    page: Page,
    /// What the contents list: depth, anchor, title.
    headings: Vec<(u8, String, String)>,
    /// Where the contents go.
    mark: usize,
    choices: usize,
}

impl Sheet {
    pub(super) fn new(title: &str) -> Self {
        let mut page = Page::new(title);
        page.style = STYLE;
        page.script = SCRIPT;
        Self { page, headings: Vec::new(), mark: 0, choices: 0 }
    }

    /// The contents go here.
    pub(super) fn mark_contents(&mut self) {
        self.mark = self.page.body.len();
    }

    /// HTML in which everything was escaped.
    pub(super) fn raw(&mut self, html: &str) {
        self.page.raw(html);
    }

    /// The heading of a section.
    pub(super) fn section(&mut self, id: &str, title: &str) {
        self.heading(2, id, title);
    }

    /// The heading of a part of a section.
    pub(super) fn part(&mut self, id: &str, title: &str) {
        self.heading(3, id, title);
    }

    fn heading(&mut self, depth: u8, id: &str, title: &str) {
        let (id, text) = (escape(id), escape(title));
        let _ = writeln!(
            self.page.body,
            "<h{depth} id=\"{id}\">{text} <a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to this part\">#</a></h{depth}>"
        );
        self.headings.push((depth, id, text));
    }

    /// A small heading that the contents do not list.
    pub(super) fn small(&mut self, title: &str) {
        let _ = writeln!(self.page.body, "<h4>{}</h4>", escape(title));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.page.paragraph(text);
    }

    /// What numbers mean, and do not mean.
    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.page.body, "<p class=\"note\">{}</p>", escape(text));
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.page.body.push_str(&table.html());
    }

    /// Tables beside each other where there is room.
    pub(super) fn beside(&mut self, tables: &[Table]) {
        let tables: String = tables.iter().filter(|t| !t.is_empty()).map(Table::html).collect();
        let _ = writeln!(self.page.body, "<div class=\"beside\">\n{tables}</div>");
    }

    pub(super) fn chart(&mut self, chart: &Chart) {
        self.page.chart(chart);
    }

    /// A chart of so many points that it is drawn by scripts only.
    pub(super) fn many_points(&mut self, chart: &Chart) {
        self.page.chart_for_scripts(chart);
    }

    /// One of several things, as the reader chooses; without scripts all of them.
    pub(super) fn choice<T, E>(
        &mut self,
        label: &str,
        things: &[(String, T)],
        mut write: impl FnMut(&mut Self, &T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.choices += 1;
        let number = self.choices;
        let _ = write!(self.page.body, "<div class=\"choice\">");
        if things.len() > 1 {
            let _ = write!(self.page.body, "<label>{} <select>", escape(label));
            for (place, (name, _)) in things.iter().enumerate() {
                let name = escape(name);
                let _ = write!(
                    self.page.body,
                    "<option value=\"choice-{number}-{place}\">{name}</option>"
                );
            }
            self.page.body.push_str("</select></label>\n");
        }
        for (place, (name, thing)) in things.iter().enumerate() {
            let _ =
                writeln!(self.page.body, "<div class=\"panel\" id=\"choice-{number}-{place}\">");
            if things.len() > 1 {
                let _ = writeln!(self.page.body, "<h4 class=\"chosen\">{}</h4>", escape(name));
            }
            write(self, thing)?;
            self.page.body.push_str("</div>\n");
        }
        self.page.body.push_str("</div>\n");
        Ok(())
    }

    /// The whole page.
    pub(super) fn finish(mut self) -> String {
        let mut contents = String::from("<nav aria-label=\"Contents\"><ol>\n");
        let mut open = false;
        for (depth, id, title) in &self.headings {
            let link = format!("<a href=\"#{id}\">{title}</a>");
            match (depth, open) {
                (2, true) => contents.push_str("</ul></li>\n"),
                (2, false) | (_, true) => {}
                (_, false) => continue,
            }
            if *depth == 2 {
                let _ = write!(contents, "<li>{link}<ul>");
                open = true;
            } else {
                let _ = write!(contents, "<li>{link}</li>");
            }
        }
        if open {
            contents.push_str("</ul></li>\n");
        }
        contents.push_str("</ol></nav>\n");
        // A list without entries is a gap.
        let contents = contents.replace("<ul></ul>", "");
        self.page.body.insert_str(self.mark, &contents);
        self.page.html()
    }
}

/// A chart that is drawn, or the reason why it is not.
pub(super) fn drawn(sheet: &mut Sheet, chart: Result<Chart, ChartError>) -> Result<(), ChartError> {
    match chart {
        Ok(chart) => sheet.chart(&chart),
        Err(error @ ChartError::TooMany { .. }) => sheet.note(&error.to_string()),
        Err(error) => return Err(error),
    }
    Ok(())
}
