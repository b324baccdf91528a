//! `perft report --site`.

use super::report::{difficult, many};
use crate::common::perft;
use std::fs;

#[test]
fn a_site_has_a_page_for_each_machine_and_every_link_leads_to_a_page() {
    let folder = difficult();
    let output = perft(&["report", &folder.file(""), "--site", &folder.file("site")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let site = folder.join("site");
    let machines: Vec<_> = fs::read_dir(site.join("machines")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(machines.len(), 7);
    let pages = machines.iter().cloned().chain(["index.html", "hashing.html"].map(|name| site.join(name)));
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            if let Some(id) = link.strip_prefix('#') {
                assert!(text.contains(&format!("id=\"{id}\"")), "{}: {link}", page.display());
            } else {
                assert!(page.parent().unwrap().join(link).is_file(), "{}: {link}", page.display());
            }
            links += 1;
        }
        for outside in ["<img", "<script src", "url(", "@import", "http://", "https://", "<link"] {
            assert!(!text.contains(outside), "{}: {outside}", page.display());
        }
    }
    assert!(links > 50);
    let index = folder.read("site/index.html");
    assert!(index.contains("<h3>By processor</h3>"), "a list without scripts");
}

#[test]
fn twenty_records_stay_small() {
    let folder = many(20);
    let output = perft(&["report", &folder.file(""), "-o", &folder.file("page.html"), "--site", &folder.file("site")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(folder.read("page.html").len() < 1_500_000);
    assert_eq!(fs::read_dir(folder.join("site/machines")).unwrap().count(), 20);
}
