//! `perft report`.

use crate::failure::{Failure, Usage};
use crate::out::file as output;
use crate::out::file::Output;
use clap::Args;
use perft_gate_report::page::{Document, Documents, Page, csv, html, markdown, pictures};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Records of `perft bench`, and JSON files of `perft compare`, `collisions` and `unique`; folders are searched for
    /// them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write the page as one HTML file without external parts; `-` for standard output, here and below.
    #[arg(short, long, value_name = "FILE|-")]
    output: Option<PathBuf>,
    /// Write the text and tables as Markdown.
    #[arg(long, value_name = "FILE|-")]
    markdown: Option<PathBuf>,
    /// Write every number as CSV, one a line.
    #[arg(long, value_name = "FILE|-")]
    csv: Option<PathBuf>,
    /// Write each picture as a file in this folder.
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// Function that makes a file's text from a page.
type Write = fn(&Page) -> String;

impl ReportArgs {
    /// Returns the files asked for, with their options.
    fn files(&self) -> Vec<(&'static str, &Path, Write)> {
        let files: [(_, &Option<PathBuf>, Write); 3] =
            [("--output", &self.output, html), ("--markdown", &self.markdown, markdown), ("--csv", &self.csv, csv)];
        files.into_iter().filter_map(|(option, path, write)| Some((option, path.as_deref()?, write))).collect()
    }
}

pub fn run(args: &ReportArgs) -> Result<ExitCode, Failure> {
    let files = args.files();
    if files.is_empty() && args.svg.is_none() {
        return Err(Usage("found no output, expected --output, --markdown, --csv or --svg".into()));
    }
    if args.svg.as_deref().is_some_and(output::is_standard) {
        return Err(Usage("--svg -: found standard output, expected a folder: every picture is a file".into()));
    }
    let outputs: Result<Vec<_>, Failure> =
        files.into_iter().map(|(option, path, write)| Ok((Output::open(option, path)?, write))).collect();
    let outputs = outputs?;
    let documents = read(&args.paths)?;
    let page = Page::of(&documents);
    for (output, write) in outputs {
        output.write(write(&page).as_bytes())?;
        say!("wrote {}", output.shown());
    }
    if let Some(folder) = &args.svg {
        let refused = |error: std::io::Error| Usage(format!("--svg {}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(refused)?;
        let pictures = pictures(&page);
        for picture in &pictures {
            Output::open("--svg", &folder.join(&picture.name))?.write(picture.svg.as_bytes())?;
        }
        say!("wrote {} pictures to {}", pictures.len(), folder.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads all files. **Errors**: one is not ours or not complete, or there is nothing to show.
fn read(paths: &[PathBuf]) -> Result<Documents, Failure> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    // A file may be named, and also lie in a folder that is named.
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    let parsed: Vec<Result<Document, Failure>> = files.par_iter().map(|file| parse(file)).collect();
    let mut documents = Documents::default();
    for (file, document) in files.iter().zip(parsed) {
        if let Err(schema) = documents.add(document?) {
            note!("skipped {}: a page cannot show {schema}", file.display());
        }
    }
    if documents.is_empty() {
        return Err(Usage("found nothing to show, expected a record of `perft bench` or another result".into()));
    }
    Ok(documents)
}

/// Collects a file, or all JSON files in and below a folder, by name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
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

fn parse(path: &Path) -> Result<Document, Failure> {
    let refused = |error: &dyn std::fmt::Display| Usage(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refused(&error))?;
    match Document::parse(&text).map_err(|error| refused(&error))? {
        Document::Record(record) if record.is_empty() => Err(refused(&perft_gate_lab::record::Record::EMPTY)),
        document => Ok(document),
    }
}
