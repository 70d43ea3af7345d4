//! The pages keep up with the code: the table of parameters is made from it, and no link is dead.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_page_of_parameters_is_the_table_of_parameters() {
    let path = root().join("docs/parameters.md");
    let expected = covec::parameters::markdown();
    if std::env::var_os("COVEC_WRITE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == expected, "docs/parameters.md is behind the code: run cargo xtask docs");
}

/// Every Markdown page of the project, build folders aside.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            pages(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut all = Vec::new();
    pages(&root(), &mut all);
    assert!(all.len() >= 6, "{all:?}");
    let mut links = 0;
    for page in all {
        let text = std::fs::read_to_string(&page).unwrap();
        for after in text.split("](").skip(1) {
            let target = after.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            let path = page.parent().unwrap().join(target);
            assert!(path.exists(), "{} links to {target}, which is not there", page.display());
        }
    }
    assert!(links > 10, "only {links} links were looked at");
}
