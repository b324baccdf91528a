//! The page of `perft report` in a real browser.

use super::report::{difficult, everything, many, outliers, render, single};
use crate::common::{Folder, Run, perft, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// A page in a frame. Frames are used because a browser window cannot be as narrow as a phone, and because many frames
/// in one browser take half the time of one browser per page.
#[derive(Debug)]
struct Frame<'a> {
    name: &'a str,
    page: &'a str,
    width: u64,
}

#[derive(Debug)]
struct Seen {
    /// The problems of each frame.
    frames: Vec<Vec<String>>,
    /// Console errors of all frames.
    console: Vec<String>,
}

impl Seen {
    /// Returns all problems, each with its frame.
    fn problems(&self, frames: &[Frame<'_>]) -> String {
        let in_frames = frames.iter().zip(&self.frames).flat_map(|(frame, problems)| {
            problems.iter().map(move |problem| format!("{}, {} wide: {problem}\n", frame.name, frame.width))
        });
        in_frames.chain(self.console.iter().map(|line| format!("{line}\n"))).collect()
    }
}

/// Opens copies of the pages in a browser, with the checking script added to each.
fn look(frames: &[Frame<'_>], is_dark: bool) -> Seen {
    let folder = Folder::new();
    let file = folder.join("page.html");
    let check = concat!("<script>", include_str!("../page/check.js"), "</script></body>");
    let html = frames.iter().enumerate().map(|(number, Frame { page, width, .. })| {
        let page = page.replace("</body>", check).replace('&', "&amp;").replace('"', "&quot;");
        format!(
            "<iframe name=\"{number}\" style=\"width:{width}px;height:900px;border:0;display:block\" srcdoc=\"{page}\"></iframe>"
        )
    });
    let head = "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">";
    fs::write(&file, head.to_string() + &html.collect::<String>()).unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg("--virtual-time-budget=2000")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--window-size=1400,1000")
        // Colour scheme 0 is dark, and 1 is light.
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("chromium runs: apt-get install chromium");
    let output = Run::from(output);
    let (dom, log) = (output.stdout, output.stderr);
    let written = dom.split("class=\"verdict\">").skip(1).filter_map(|rest| rest.split("</script>").next());
    let verdicts: BTreeMap<usize, Value> = written
        .map(|json| serde_json::from_str::<Value>(json).expect("JSON"))
        .map(|verdict| (verdict["frame"].as_str().expect("a frame").parse().expect("a number"), verdict))
        .collect();
    assert!(verdicts.keys().copied().eq(0..frames.len()), "a verdict is missing: {:?}\n{log}", verdicts.keys());
    let frames = frames.iter().zip(verdicts.into_values()).map(|(frame, verdict)| {
        assert_eq!((&verdict["width"], &verdict["isDark"]), (&frame.width.into(), &is_dark.into()), "{}", frame.name);
        let problems = verdict["problems"].as_array().expect("problems").iter();
        problems.map(|problem| problem.as_str().expect("text").to_string()).collect()
    });
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(|line| format!("console: {line}"));
    Seen { frames: frames.collect(), console: console.collect() }
}

/// Checks each of the named pages at all widths, in light and dark.
fn expect_no_problem(pages: &[(&str, String)], widths: &[u64]) {
    for (name, page) in pages {
        let frames: Vec<_> = widths.iter().map(|&width| Frame { name, page, width }).collect();
        for is_dark in [false, true] {
            let seen = look(&frames, is_dark);
            assert_eq!(seen.problems(&frames), "", "dark: {is_dark}");
        }
    }
}

fn committed() -> Folder {
    let folder = Folder::new();
    for machine in fs::read_dir(root("results")).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(&machine).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let [machine, name] = [&machine, &file].map(|path| path.file_name().unwrap().to_str().unwrap());
            fs::copy(&file, folder.join(&format!("{machine}-{name}"))).unwrap();
        }
    }
    folder
}

#[test]
#[ignore = "needs Chromium"]
fn the_hardest_pages_are_shown_as_they_should_be() {
    expect_no_problem(&[("seven machines", render(&difficult())), ("one machine", render(&single()))], &[390, 1280]);
}

#[test]
#[ignore = "needs Chromium; all pages in four widths take a minute"]
fn every_page_is_shown_as_it_should_be() {
    let pages = [
        ("seven machines", render(&difficult())),
        ("one machine", render(&single())),
        ("twenty machines", render(&many(20))),
        ("outliers", render(&outliers())),
        ("the committed results", render(&committed())),
    ];
    expect_no_problem(&pages, &[390, 820, 1280, 1400]);
}

/// Prints a page and returns the number of sheets.
fn sheets(page: &str) -> usize {
    let folder = Folder::new();
    let (file, printed) = (folder.write("page.html", page), folder.file("page.pdf"));
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--print-to-pdf={printed}"))
        .arg(format!("file://{file}"))
        .output()
        .expect("chromium runs: apt-get install chromium");
    let pdf = fs::read(&printed).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count()
}

#[test]
#[ignore = "needs Chromium"]
fn one_machine_prints_on_six_sheets_at_most() {
    for machine in ["amd-epyc-family-26-model-2-2-threads", "amd-epyc-family-25-model-17-2-threads"] {
        let folder = Folder::new();
        let (from, to) = (root("results").join(machine), folder.file("report.html"));
        perft(&["report", from.to_str().unwrap(), "-o", &to]).expect(0, &[]);
        let page = folder.read("report.html");
        let printed = sheets(&page);
        println!("{machine}: {printed} sheets");
        assert!((2..=6).contains(&printed), "{machine}: {printed}");
        // The print style is what keeps the number of sheets small.
        let without = sheets(&page.replace("@media print{", "@media tv{"));
        assert!(without > printed, "{machine}: {without}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn faults_that_are_planted_are_seen() {
    let folder = everything();
    let page = render(&folder);
    let after = |mark: &str, planted: &str| page.replacen(mark, &format!("{mark}{planted}"), 1);
    let in_chart = |planted: &str| {
        let (rates, mark) = (page.find("id=\"rates\"").unwrap(), "<div class=\"lines\">");
        let at = rates + page[rates..].find(mark).unwrap() + mark.len();
        format!("{}{planted}{}", &page[..at], &page[at..])
    };
    let planted = [
        ("overlap", in_chart("<span class=\"reference\" style=\"left:0;bottom:auto;top:4px\">over a label</span>")),
        ("overflow", after("<main>", "<div style=\"width:500px\">wide</div>")),
        ("overflow", in_chart("<span class=\"tick\" style=\"left:0;top:2000px\">outside</span>")),
        ("crossed", page.replacen("margin-top:3px;background:var(--paper)", "margin-top:3px", 1)),
        ("clipped", page.replacen("<style>", "<style>.table{background:none!important}", 1)),
        ("clipped", page.replace("#summary ", "#elsewhere ")),
        ("marks", in_chart("<i class=\"dot\"></i>")),
        ("contrast", after("<main>", "<p style=\"color:#aaa\">pale</p>")),
        ("sorting", page.replace("body.append(...rows", "[].concat(rows")),
        ("names", page.replacen("role=\"img\" aria-label=", "role=\"img\" data-label=", 1)),
        ("network", after("<main>", "<img src=\"other.png\" alt=\"\">")),
    ];
    let frames: Vec<_> = planted.iter().map(|(name, page)| Frame { name, page, width: 390 }).collect();
    // A missing network resource is also reported as a console error. All other findings belong to the frame with the
    // fault.
    let Seen { frames: found, console } = look(&frames, false);
    assert!(console.iter().all(|line| line.contains("other.png")), "{console:?}");
    for ((kind, _), problems) in planted.iter().zip(found) {
        assert!(problems.iter().any(|problem| problem.starts_with(kind)), "{kind} is not seen: {problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with(kind)), "{kind}: {problems:?}");
    }
    // All frames log to one console, so only one such page is open at a time.
    for planted in ["<script>console.error('here')</script>", "<script>nothing.is.here</script>"] {
        let page = after("<main>", planted);
        let Seen { frames, console } = look(&[Frame { name: planted, page: &page, width: 390 }], false);
        assert!(frames[0].is_empty() && !console.is_empty(), "{planted}: {frames:?}, {console:?}");
    }
}
