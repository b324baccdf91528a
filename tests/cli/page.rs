//! `perft report`, by the binary: its files, its errors, and the page in a real browser.
//!
//! The fixtures are made up: they look like results and are none. Other machines are made from one record by arithmetic.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("the binary runs")
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/fixtures").join(name)
}

/// Another machine than the fixture's.
struct Other<'a> {
    cpu: &'a str,
    threads: u64,
    /// Its times, as parts of the fixture's.
    time: f64,
    /// A workload that it did not run.
    without: &'a str,
}

impl Other<'_> {
    fn record(&self) -> Value {
        let mut record: Value = serde_json::from_str(&fs::read_to_string(fixture("record.json")).unwrap()).unwrap();
        record["machine"]["hardware"]["cpu"] = self.cpu.into();
        record["machine"]["hardware"]["threads"] = self.threads.into();
        for stage in record["stages"].as_array_mut().unwrap() {
            let works = stage["works"].as_array().unwrap();
            let kept: Vec<usize> = (0..works.len()).filter(|&work| works[work]["workload"] != self.without).collect();
            let mut kept_works: Vec<Value> = kept.iter().map(|&work| works[work].clone()).collect();
            for work in kept_works.iter_mut().filter(|work| work["threads"] == 2) {
                work["threads"] = self.threads.into();
            }
            stage["works"] = kept_works.into();
            for round in stage["rounds"].as_array_mut().unwrap() {
                let order = round["order"].as_array().unwrap().iter().map(|work| work.as_u64().unwrap() as usize);
                let order: Vec<usize> = order.filter_map(|work| kept.iter().position(|&at| at == work)).collect();
                let slices = kept.iter().map(|&work| {
                    let mut slices = round["slices"][work].clone();
                    for slice in slices.as_array_mut().unwrap() {
                        slice[1] = ((slice[1].as_f64().unwrap() * self.time) as u64).into();
                    }
                    slices
                });
                round["slices"] = slices.collect();
                round["order"] = order.into();
            }
        }
        record
    }
}

/// A folder of everything a page can show, with long names and what is missing.
fn everything() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["record.json", "compare.json", "collisions.json", "unique.json", "kiwipete.json"] {
        fs::copy(fixture(name), folder.path().join(name)).unwrap();
    }
    let others = [
        Other { cpu: "Example(R) Core(TM) X-13700HK CPU @ 3.40GHz", threads: 24, time: 0.8, without: "unique" },
        Other { cpu: "Sample Thirty 7950X3D 16-Core Processor", threads: 32, time: 0.4, without: "" },
    ];
    for (number, other) in others.iter().enumerate() {
        fs::write(folder.path().join(format!("record-{number}.json")), other.record().to_string()).unwrap();
    }
    folder
}

/// Renders a folder's page.
fn render(folder: &Path) -> String {
    let page = folder.join("report.html");
    let output = perft(&["report", folder.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(page).unwrap()
}

#[test]
fn every_format_has_what_the_documents_hold_and_the_same_each_time() {
    let folder = everything();
    let formats = |to: &Path| -> BTreeMap<String, String> {
        let [page, markdown, csv, svg] = ["page.html", "page.md", "page.csv", "svg"].map(|name| to.join(name));
        let files = [&page, &markdown, &csv, &svg].map(|path| path.to_str().unwrap());
        let from = folder.path().to_str().unwrap();
        let output =
            perft(&["report", from, "-o", files[0], "--markdown", files[1], "--csv", files[2], "--svg", files[3]]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let pictures = fs::read_dir(svg).unwrap().map(|entry| entry.unwrap().path());
        let all = [page, markdown, csv].into_iter().chain(pictures);
        all.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read_to_string(path).unwrap()))
            .collect()
    };
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = formats(one.path());
    assert!(files == formats(two.path()), "other bytes for the same documents");

    let page = &files["page.html"];
    assert!(page.len() < 1_000_000 && page.starts_with("<!DOCTYPE html>"), "{}", page.len());
    for outside in ["src=", "url(", "@import", "http://", "https://", "<link"] {
        assert!(!page.contains(outside), "{outside}: a page needs nothing else");
    }
    for section in ["Speed", "Thread scaling", "Task latency", "Side by side", "What hashing schemes cost"]
        .iter()
        .chain(&["What a full recompute costs", "Collisions against expectation", "Distinct positions", "Method"])
    {
        assert!(page.contains(&format!("<h2>{section}</h2>")), "{section}");
        assert!(files["page.md"].contains(&format!("\n## {section}\n")), "{section}");
    }
    // The second machine ran no `unique`: said in every picture of it, and in the table behind.
    assert_eq!(files["rates-9.svg"].matches("not measured").count(), 1);
    assert!(files["page.md"].contains("| Example Core X-13700HK, 24 threads | – | – | – | – | – |"));
    // The numbers are the record's, unrounded.
    let line = "rates,\"setwise, one thread, million leaves a second\",\"Example EX 9450, 2 threads, 1\",median,";
    let value = files["page.csv"].lines().find_map(|text| text.strip_prefix(line)).expect("a line");
    assert!((value.parse::<f64>().unwrap() - 2665.0).abs() < 5.0, "{value}");
    let pictures = files.keys().filter(|name| name.ends_with(".svg")).count();
    assert_eq!(pictures, page.matches("<figure").count());
}

#[test]
fn sections_without_data_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture("unique.json"), folder.path().join("unique.json")).unwrap();
    let page = render(folder.path());
    assert!(page.contains("<h2>Distinct positions</h2>") && page.contains("<h2>Method</h2>"));
    assert_eq!(page.matches("<h2>").count(), 2);
}

#[test]
fn what_cannot_be_read_is_one_line_and_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(fixture("record.json")).unwrap();
    let wrong_index =
        fs::read_to_string(fixture("compare.json")).unwrap().replace("\"reference\": 2", "\"reference\": 99");
    let found = [
        ("cut.json", &whole[..whole.len() / 2], "the end of the file, expected a document of perft"),
        ("theirs.json", "{\"schema\": \"other/1\"}", "schema: found 'other/1', expected a document of perft"),
        ("newer.json", "{\"schema\": \"perft.record/7\"}", "schema: found 'perft.record/7', expected"),
        ("field.json", "{\"schema\": \"perft.unique/1\", \"plies\": [{\"ply\": -1}]}", "plies[0].ply: invalid value"),
        ("index.json", &wrong_index, "tables[1]: found contestant 99, expected one of"),
    ];
    for (name, text, expected) in found {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let page = folder.path().join("report.html");
        let output = perft(&["report", path.to_str().unwrap(), "-o", page.to_str().unwrap()]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{name}: {error}");
        assert!(error.contains(name) && error.contains(expected), "{name}: {error}");
        assert!(!page.exists());
    }
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("gate.json"), "{\"schema\": \"perft.gate/1\"}").unwrap();
    let output = perft(&["report", empty.path().to_str().unwrap(), "--csv", "-"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("gate.json: a page cannot show perft.gate/1") && error.contains("nothing to show"),
        "{error}"
    );
    let output = perft(&["report", fixture("record.json").to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("found no output"), "{output:?}");
}

/// What the browser saw of a page.
#[derive(Debug)]
struct Seen {
    problems: Vec<String>,
    verdict: Value,
}

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
struct View {
    width: u32,
    is_dark: bool,
}

const PHONE: View = View { width: 390, is_dark: false };

/// Opens a copy of the page with the check in it, in a frame of the view's width: windows are never as narrow as a phone.
fn look(page: &str, view: View) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let check = concat!("<script>", include_str!("../page/check.js"), "</script></body>");
    let page = page.replace("</body>", check).replace('&', "&amp;").replace('"', "&quot;");
    let frame = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">\
         <iframe style=\"width:{}px;height:900px;border:0\" srcdoc=\"{page}\"></iframe>",
        view.width
    );
    fs::write(&file, frame).unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg("--virtual-time-budget=2000")
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg("--window-size=1400,1000")
        // 0 is dark, 1 light.
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!view.is_dark)))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("chromium runs: apt-get install chromium");
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let verdict = dom.split("id=\"verdict\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let verdict: Value = match verdict {
        Some(json) => serde_json::from_str(json).unwrap(),
        None => panic!("no verdict: {log}"),
    };
    let said = verdict["problems"].as_array().unwrap().iter().map(|problem| problem.as_str().unwrap().to_string());
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(|line| format!("console: {line}"));
    Seen { problems: said.chain(console).collect(), verdict }
}

#[test]
#[ignore = "needs Chromium"]
fn a_browser_shows_the_page_as_it_should_be() {
    let folder = everything();
    let page = render(folder.path());
    let single = tempfile::tempdir().unwrap();
    for name in ["record.json", "compare.json", "unique.json"] {
        fs::copy(fixture(name), single.path().join(name)).unwrap();
    }
    for (page, name) in [(page, "three machines"), (render(single.path()), "one machine")] {
        for width in [390, 820, 1280] {
            for is_dark in [false, true] {
                let view = View { width, is_dark };
                let Seen { problems, verdict } = look(&page, view);
                assert!(problems.is_empty(), "{name}, {view:?}:\n{}", problems.join("\n"));
                assert_eq!((&verdict["width"], &verdict["isDark"]), (&width.into(), &is_dark.into()), "{view:?}");
                println!(
                    "{name}, {width} wide, dark {is_dark}: {} charts, ready after {} ms",
                    verdict["charts"], verdict["ms"]
                );
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn faults_that_are_planted_are_seen() {
    let folder = everything();
    let page = render(folder.path());
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
        ("marks", in_chart("<circle r=\"3\" class=\"f-s0\"/>")),
        ("contrast", after("<main>", "<p style=\"color:#aaa\">pale</p>")),
        ("console", after("<main>", "<script>console.error('here')</script>")),
        ("console", after("<main>", "<script>nothing.is.here</script>")),
        ("sorting", page.replace("body.append(...rows", "void (...rows").replace("void (...rows", "[].concat(rows")),
        ("names", page.replacen("id=\"rates-1-narrow-title\"", "id=\"elsewhere\"", 1)),
        ("network", after("<main>", "<img src=\"other.png\" alt=\"\">")),
    ];
    for (kind, page) in planted {
        let Seen { problems, .. } = look(&page, PHONE);
        assert!(problems.iter().any(|problem| problem.starts_with(kind)), "{kind} is not seen: {problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with(kind) || kind == "network"), "{kind}: {problems:?}");
    }
}
