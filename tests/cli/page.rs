//! The page of `perft report` in a real browser.

use super::report::{difficult, everything, fixture, many, outliers, render};
use crate::common::{Folder, Run, perft, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Findings of the browser on a page.
#[derive(Debug)]
struct Seen {
    problems: Vec<String>,
    /// What each frame says, by its width.
    verdicts: BTreeMap<u64, Value>,
}

/// Frames and theme in which a page is opened.
#[derive(Clone, Copy, Debug)]
struct View<'a> {
    widths: &'a [u64],
    is_dark: bool,
}

const PHONE: View<'_> = View { widths: &[390], is_dark: false };

/// Opens a copy of the page with the check in it, in a frame of each of the view's widths: windows are never as narrow as a
/// phone, and four frames of one browser take half the time of four browsers.
fn look(page: &str, view: View<'_>) -> Seen {
    let folder = Folder::new();
    let file = folder.join("page.html");
    let check = concat!("<script>", include_str!("../page/check.js"), "</script></body>");
    let page = page.replace("</body>", check).replace('&', "&amp;").replace('"', "&quot;");
    let frame = |width: &u64| {
        format!("<iframe style=\"width:{width}px;height:900px;border:0;display:block\" srcdoc=\"{page}\"></iframe>")
    };
    let frames: String = view.widths.iter().map(frame).collect();
    let head = "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">";
    fs::write(&file, head.to_string() + &frames).unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg("--virtual-time-budget=2000")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--window-size=1400,1000")
        // 0 is dark, 1 light.
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!view.is_dark)))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("chromium runs: apt-get install chromium");
    let output = Run::from(output);
    let (dom, log) = (output.stdout, output.stderr);
    let written = dom.split("class=\"verdict\">").skip(1).filter_map(|rest| rest.split("</script>").next());
    let verdicts: BTreeMap<u64, Value> = written
        .map(|json| serde_json::from_str::<Value>(json).expect("JSON"))
        .map(|verdict| (verdict["width"].as_u64().expect("a width"), verdict))
        .collect();
    assert_eq!(verdicts.keys().copied().collect::<Vec<_>>(), view.widths, "a verdict is missing: {log}");
    assert!(verdicts.values().all(|verdict| verdict["isDark"] == view.is_dark), "{view:?}");
    let said = verdicts.iter().flat_map(|(width, verdict)| {
        let problems = verdict["problems"].as_array().expect("problems").iter();
        problems.map(move |problem| format!("{}, {width} wide", problem.as_str().expect("text")))
    });
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(|line| format!("console: {line}"));
    Seen { problems: said.chain(console).collect(), verdicts }
}

/// A folder of the committed results.
fn committed() -> Folder {
    let folder = Folder::new();
    for machine in
        fs::read_dir(root("results")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for file in fs::read_dir(&machine).unwrap().map(|entry| entry.unwrap().path()) {
            let [machine, name] = [&machine, &file].map(|path| path.file_name().unwrap().to_str().unwrap());
            let name = format!("{machine}-{name}");
            fs::copy(&file, folder.join(&name)).unwrap();
        }
    }
    folder
}

#[test]
#[ignore = "needs Chromium"]
fn a_browser_shows_the_page_as_it_should_be() {
    let folder = difficult();
    let page = render(&folder);
    let single = Folder::new();
    for name in ["record.json", "compare.json", "unique.json"] {
        fs::copy(fixture(name), single.path().join(name)).unwrap();
    }
    let output = perft(&["report", &folder.file(""), "--site", &folder.file("site")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let pages = [
        (page, "seven machines"),
        (render(&single), "one machine"),
        (render(&many(20)), "twenty machines"),
        (render(&outliers()), "outliers"),
        (render(&committed()), "the committed results"),
        (folder.read("site/index.html"), "the index"),
        (folder.read("site/machines/my-machine-same-1-8-threads.html"), "a machine's page"),
    ];
    for (page, name) in pages {
        for is_dark in [false, true] {
            let view = View { widths: &[390, 820, 1280, 1400], is_dark };
            let Seen { problems, verdicts } = look(&page, view);
            assert!(problems.is_empty(), "{name}, dark {is_dark}:\n{}", problems.join("\n"));
            for (width, verdict) in verdicts {
                println!("{name}, {width} wide, dark {is_dark}: {} charts", verdict["charts"]);
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_browser_shows_five_hundred_records() {
    let Seen { problems, verdicts } = look(&render(&many(500)), View { widths: &[1280], is_dark: true });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    println!("500 records: ready after {} ms", verdicts[&1280]["ms"]);
}

/// Prints a page and returns the number of its sheets.
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
fn one_machine_prints_on_eight_sheets_at_most() {
    for machine in ["amd-epyc-family-26-model-2-2-threads", "amd-epyc-family-25-model-17-2-threads"] {
        let folder = Folder::new();
        let (from, to) = (root("results").join(machine), folder.file("report.html"));
        let output = perft(&["report", from.to_str().unwrap(), "-o", &to]);
        assert_eq!(output.code, Some(0), "{}", output.stderr);
        let page = folder.read("report.html");
        let printed = sheets(&page);
        println!("{machine}: {printed} sheets");
        assert!((2..=8).contains(&printed), "{machine}: {printed}");
        // What keeps it so is the style for print.
        assert!(sheets(&page.replace("@media print{", "@media tv{")) > 8, "{machine}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn faults_that_are_planted_are_seen() {
    let folder = everything();
    let page = render(&folder);
    let after = |mark: &str, planted: &str| page.replacen(mark, &format!("{mark}{planted}"), 1);
    let chart = "id=\"rates-1\"";
    let in_chart = |planted: &str| {
        let at =
            page.find(chart).and_then(|at| page[at..].find("</desc>").map(|end| at + end + "</desc>".len())).unwrap();
        format!("{}{planted}{}", &page[..at], &page[at..])
    };
    let planted = [
        ("overlap", in_chart("<text x=\"2\" y=\"12\" class=\"f-ink\">over a label</text>")),
        ("overflow", after("<main>", "<div style=\"width:500px\">wide</div>")),
        ("overflow", in_chart("<text x=\"300\" y=\"2000\" class=\"f-ink\">outside</text>")),
        ("crossed", in_chart("<line x1=\"20\" y1=\"0\" x2=\"20\" y2=\"60\" class=\"l-grid\"/>")),
        ("clipped", page.replacen("<style>", "<style>.table{background:none!important}", 1)),
        ("clipped", page.replace(" cards\"", "\"")),
        ("marks", in_chart("<circle r=\"3\" class=\"f-s0\"/>")),
        ("contrast", after("<main>", "<p style=\"color:#aaa\">pale</p>")),
        ("console", after("<main>", "<script>console.error('here')</script>")),
        ("console", after("<main>", "<script>nothing.is.here</script>")),
        ("sorting", page.replace("body.append(...rows", "void (...rows").replace("void (...rows", "[].concat(rows")),
        ("search", page.replace("row.hidden = !words", "row.hidden = !!words")),
        ("names", page.replacen("id=\"rates-1-narrow-title\"", "id=\"elsewhere\"", 1)),
        ("network", after("<main>", "<img src=\"other.png\" alt=\"\">")),
    ];
    for (kind, page) in planted {
        let Seen { problems, .. } = look(&page, PHONE);
        assert!(problems.iter().any(|problem| problem.starts_with(kind)), "{kind} is not seen: {problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with(kind) || kind == "network"), "{kind}: {problems:?}");
    }
}
