//! `perft report`: creates a page from result files, or checks the files.

use crate::args::text::{MAX_TEXT, text};
use crate::failure::{Result, Usage};
use crate::out::file::Output;
use clap::Args;
use perft_gate_report::check::{problems, unknown_fields};
use perft_gate_report::page::{Documents, Page, csv, find_record, html};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Records of `perft bench`, and JSON files of `perft compare`, `collisions` and `unique`; folders are searched for them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write the page as one self-contained HTML file; `-` for standard output.
    #[arg(short, long, value_name = "FILE|-")]
    output: Option<PathBuf>,
    /// Write every number as CSV, one per line; `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    csv: Option<PathBuf>,
    /// Title of the page.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Machine to compare the others with: part of its label, or a record's file. It scores 100
    /// [default: the reference machine if present, else the first undisturbed one].
    #[arg(long, value_name = "LABEL|FILE")]
    baseline: Option<String>,
    /// Check result files instead: each must be readable, and its medians, means and counts must agree with its
    /// samples. Exits with code 1 if one fails.
    #[arg(long, conflicts_with_all = ["output", "csv", "title", "baseline"])]
    check: bool,
}

type Write = fn(&Page) -> String;

pub fn run(args: &ReportArgs) -> Result<ExitCode> {
    if args.check {
        return check(&args.paths);
    }
    let files: [(_, _, Write); 2] = [("--output", &args.output, html), ("--csv", &args.csv, csv)];
    let files = files.into_iter().filter_map(|(option, path, write)| Some((option, path.as_deref()?, write)));
    let outputs = files.map(|(option, path, write)| Ok((Output::open(option, path)?, write)));
    let outputs: Vec<(Output, Write)> = outputs.collect::<Result<_>>()?;
    if outputs.is_empty() {
        return Err(Usage(match args.paths.iter().find(|path| !path.exists()) {
            Some(path) => format!("{}: found no such file or folder, expected results", path.display()),
            None => "found no output, expected --output FILE or --csv FILE".into(),
        }));
    }
    let (documents, records) = read(&args.paths)?;
    let mut page = Page::new(&documents, baseline(args, &documents, &records)?);
    page.title = args.title.clone().unwrap_or(page.title);
    for (output, write) in outputs {
        output.write(write(&page).as_bytes())?;
        say!("wrote {}", output.place_name());
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the index of the record that `--baseline` names, if given. **Errors**: no record matches, or several do.
fn baseline(args: &ReportArgs, documents: &Documents, records: &[PathBuf]) -> Result<Option<usize>> {
    let Some(name) = &args.baseline else { return Ok(None) };
    let same = |file: &PathBuf| file.canonicalize().ok().zip(Path::new(name).canonicalize().ok());
    if let Some(number) = records.iter().position(|file| same(file).is_some_and(|(one, other)| one == other)) {
        return Ok(Some(number));
    }
    find_record(&documents.records, name).map(Some).map_err(|error| Usage(format!("--baseline: {error}")))
}

/// Reads all files. Returns the documents, and the paths of the records among them.
///
/// **Errors**: a file was not written by this program or is incomplete, or there is nothing to show.
fn read(paths: &[PathBuf]) -> Result<(Documents, Vec<PathBuf>)> {
    let files = collect_files(paths)?;
    let parsed: Vec<Result<(Documents, Vec<String>)>> = files.par_iter().map(|file| parse(file)).collect();
    let (mut documents, mut records) = (Documents::default(), Vec::new());
    let tomorrow = std::time::SystemTime::now() + std::time::Duration::from_secs(86_400);
    let tomorrow = humantime::format_rfc3339_seconds(tomorrow).to_string();
    for (file, found) in files.into_iter().zip(parsed) {
        let (found, unknown) = found?;
        for record in &found.records {
            if !unknown.is_empty() {
                let fields = unknown.join(", ");
                note!("{}: found {fields}, written by a newer perft: shown without them", file.display());
            }
            if record.started > tomorrow {
                note!("{}: started {}, which is later than today: a clock is wrong", file.display(), record.started);
            }
            records.push(file.clone());
        }
        found.others.iter().for_each(|schema| note!("skipped {}: a page cannot show {schema}", file.display()));
        documents.add(found);
    }
    if documents.is_empty() {
        return Err(Usage("found nothing to show, expected a record of `perft bench` or another result".into()));
    }
    Ok((documents, records))
}

/// Returns all files that `paths` names, directly or through a folder, without duplicates.
fn collect_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    // A file may be named both directly and through its folder.
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    Ok(files)
}

/// Adds the file at `path` to `files`, or all JSON files in and below the folder at `path`, sorted by name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    let refused = |error: std::io::Error| Usage(format!("{}: {error}", path.display()));
    let entries: Result<Vec<PathBuf>, _> =
        fs::read_dir(path).map_err(refused)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut entries = entries.map_err(refused)?;
    entries.sort();
    let is_wanted = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|extension| extension == "json");
    entries.iter().filter(|path| is_wanted(path)).try_for_each(|path| collect(path, files))
}

fn contents(path: &Path) -> Result<String> {
    text(path, MAX_TEXT, &path.display().to_string(), "a result of this program")
}

/// Parses a file. Also returns the unknown fields of a record.
fn parse(path: &Path) -> Result<(Documents, Vec<String>)> {
    let text = contents(path)?;
    let found = Documents::parse(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
    let unknown = found.records.iter().flat_map(|record| unknown_fields(&text, record)).collect();
    Ok((found, unknown))
}

/// Checks every file, and prints one line per problem, followed by a summary.
fn check(paths: &[PathBuf]) -> Result<ExitCode> {
    let files = collect_files(paths)?;
    if files.is_empty() {
        return Err(Usage("found no file, expected results to check".into()));
    }
    let checked = |file: &PathBuf| Ok(problems(&contents(file)?).unwrap_or_else(|error| vec![error.to_string()]));
    let checked: Vec<Result<Vec<String>>> = files.par_iter().map(checked).collect();
    let mut bad = 0;
    for (file, found) in files.iter().zip(checked) {
        let found = found?;
        found.iter().for_each(|problem| say!("{}: {problem}", file.display()));
        bad += usize::from(!found.is_empty());
    }
    say!("{} files checked, {bad} with problems", files.len());
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
