//! The page of web/ in a real browser, over HTTP and from disk. `tests/web/cases.js` uses it as a visitor does.

use crate::common::{Folder, Run, perft_with_input, root};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The folder of the page, built once for all tests.
static PAGE: LazyLock<PathBuf> = LazyLock::new(|| {
    let output = Command::new(root("ci/tools/web")).output().expect("bash");
    Run::from(output).expect(0, &["target/page: the module has "]);
    root("target/page")
});

/// How long the browser may take on a busy machine.
const LIMIT: Duration = Duration::from_secs(600);

fn open(profile: &Folder, is_dark: bool, page: &str) -> Child {
    Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1200", "--remote-debugging-port=0"])
        .arg(format!("--user-data-dir={}", profile.join("profile").display()))
        // Colour scheme 0 is dark, and 1 is light.
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)))
        .arg(page)
        .stderr(Stdio::null())
        .spawn()
        .expect("chromium runs: apt-get install chromium")
}

/// Answers a request with a file. Returns the body of a `POST`, or the query of `/verdict`.
fn serve(mut stream: TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.trim().is_empty()) {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        lines.push(line);
    }
    let path = lines[0].split([' ', '?']).nth(1).unwrap_or_default().trim_start_matches('/');
    let length =
        lines.iter().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let files = [PAGE.join(path), root("tests/web").join(path), root("tests/page").join(path)];
    let file = files.iter().filter(|file| file.is_file()).find_map(|file| fs::read(file).ok());
    let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html",
        Some("css") => "text/css",
        _ => "text/javascript",
    };
    let file = file.unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        file.len()
    )
    .ok()?;
    stream.write_all(&file).ok()?;
    let query = lines[0].split([' ', '?']).nth(2).unwrap_or_default();
    match lines[0].starts_with("POST") {
        true => Some(String::from_utf8(body).expect("UTF-8")),
        false => (path == "verdict").then(|| query.into()),
    }
}

/// Serves the page. Each connection has a thread, because a browser also opens connections that it never uses. Returns
/// the address and what [`serve`] returned.
fn start_server() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    LazyLock::force(&PAGE);
    let address = listener.local_addr().expect("an address").to_string();
    let (sender, posted) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let sender = sender.clone();
            thread::spawn(move || serve(stream.expect("a connection")).map(|body| sender.send(body)));
        }
    });
    (address, posted)
}

#[test]
#[ignore = "needs Chromium and the rust-src of rustup"]
fn visitors_find_the_wrong_move() {
    for is_dark in [false, true] {
        let (profile, (address, posted)) = (Folder::new(), start_server());
        let mut browser = open(&profile, is_dark, &format!("http://{address}/cases.html"));
        let verdict = posted.recv_timeout(LIMIT);
        browser.kill().and_then(|()| browser.wait()).expect("a browser");
        let verdict: Value = serde_json::from_str(&verdict.expect("a verdict")).expect("JSON");
        assert_eq!(verdict["problems"], Value::Array(Vec::new()));
        assert_eq!(verdict["isDark"], is_dark);
        assert!(verdict["cases"].as_u64() >= Some(15), "{verdict}");
        // Except for the time, the page's JSON has the same bytes as the program's.
        let line = "divide 2 --fen 8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1 --compare - --json -";
        let printed = perft_with_input(line, "a5a4: 17\na5a6: 17\na5b5: 17\nd5c6: 16").stdout;
        let without_time =
            |json: &str| json.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n");
        assert_eq!(without_time(verdict["json"].as_str().expect("text")), without_time(&printed));
    }
}

/// A page on disk has no origin, so the browser lets it load less. A script in the copy sends the answer to the server.
#[test]
#[ignore = "needs Chromium and the rust-src of rustup"]
fn a_link_works_from_disk() {
    let (profile, (address, posted)) = (Folder::new(), start_server());
    for name in ["page.css", "perft.js", "web.css", "web.js"] {
        profile.write(name, fs::read(PAGE.join(name)).expect(name));
    }
    let report = "const leave = () => (location.href = `http://ADDRESS/verdict?${document.querySelector(\".found\").innerText}`);
        setInterval(() => document.querySelector(\".found\") && leave(), 100);";
    profile.write("report.js", report.replace("ADDRESS", &address));
    let index = fs::read_to_string(PAGE.join("index.html")).expect("a page");
    let index =
        profile.write("index.html", index.replace("</head>", "<script src=\"report.js\" defer></script></head>"));
    let mut browser = open(&profile, false, &format!("file://{index}#fen=startpos&depth=1&listing=e2e4:%201"));
    let verdict = posted.recv_timeout(LIMIT);
    browser.kill().and_then(|()| browser.wait()).expect("a browser");
    assert!(verdict.as_ref().is_ok_and(|found| found.contains("missing%20d2d4:%20double%20push")), "{verdict:?}");
}
