//! `perft diff`: compares two records.

use crate::args::text::record;
use crate::failure::{Result, Usage};
use crate::out::console;
use crate::out::file::Output;
use clap::Args;
use perft_gate_bench::diff::diff;
use perft_gate_report::diff::{DiffDocument, FailSlower, SCHEMA, markdown, text};
use perft_gate_report::text::json as json_text;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct DiffArgs {
    /// Record to compare with.
    old: PathBuf,
    /// Record to judge.
    new: PathBuf,
    /// Exit with code 1 if a workload is slower by more than this even at the lower end of its interval.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_slower: Option<f64>,
    /// Print Markdown, for pull requests.
    #[arg(long)]
    markdown: bool,
    /// Write the comparison as JSON (`perft.diff/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

/// Reads `5%` or `5` as a fraction.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let part = number.filter(|percent| (0.0..=1000.0).contains(percent)).map(|percent| percent / 100.0);
    part.ok_or_else(|| "expected a percentage such as 5%".into())
}

pub fn run(args: &DiffArgs) -> Result<ExitCode> {
    let (old, new) = (record(&args.old)?, record(&args.new)?);
    let found = diff(&old, &new).map_err(|error| Usage(format!("{}: {error}", args.new.display())))?;
    let fail_slower = args.fail_slower.map(|limit| FailSlower::new(&found, limit));
    if let Some(json) = Output::open_if("--json", args.json.as_deref())? {
        let [old, new] = [&args.old, &args.new].map(|path| path.display().to_string());
        let document = DiffDocument { old, new, diff: &found, fail_slower: fail_slower.clone() };
        json.write(json_text(SCHEMA, document).as_bytes())?;
    }
    let text = if args.markdown { markdown(&found) } else { text(&found, console::width()) };
    say!("{}", text.trim_end());
    let Some(FailSlower { limit, slower }) = fail_slower else { return Ok(ExitCode::SUCCESS) };
    if slower.is_empty() {
        say!("\nnothing is certainly slower by more than {:.1} %", 100.0 * limit);
        return Ok(ExitCode::SUCCESS);
    }
    let slower: Vec<String> = slower.iter().map(|work| format!("{} on {}", work.workload, work.threads)).collect();
    say!("\nslower by more than {:.1} %: {}", 100.0 * limit, slower.join(", "));
    Ok(ExitCode::from(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_may_have_their_sign() {
        assert_eq!((percent("5%"), percent("2.5"), percent("0 %")), (Ok(0.05), Ok(0.025), Ok(0.0)));
        assert!(percent("-1").is_err() && percent("five").is_err() && percent("nan").is_err());
    }
}
