//! Conditions of a run, as text.

use perft_gate_lab::measure::median;
use perft_gate_machine::record::{Stretch, Sustained};
use perft_gate_machine::{Conditions, Readings, System};

/// Returns lines on the conditions of a run: each quantity, or that it is not available.
pub fn lines(conditions: &Conditions, system: &System) -> Vec<String> {
    let or_not = |text: Option<String>| text.unwrap_or("not available".into());
    let percent = |readings: Option<Readings>| {
        or_not(
            readings.map(|readings| format!("{:.1} % (at most {:.0} %)", 100.0 * readings.mean, 100.0 * readings.max)),
        )
    };
    let mean = |readings: Option<Readings>| {
        or_not(readings.map(|readings| format!("{:.1} (at most {:.1})", readings.mean, readings.max)))
    };
    let course = |readings: Option<Readings>, unit: &str, digits: usize| {
        let shown = |Readings { start, end, min, max, .. }: Readings| {
            format!("{start:.digits$} to {end:.digits$}{unit} ({min:.digits$} to {max:.digits$})")
        };
        or_not(readings.map(shown))
    };
    let boost = system.boost.map(|boost| if boost { "on" } else { "off" }.to_string());
    vec![
        format!("conditions, {} samples in {:.0} s", conditions.samples, conditions.seconds),
        format!("  other programs: {} of the processor time", percent(conditions.others)),
        format!("  other virtual machines: {} of the time with work", percent(conditions.steal)),
        format!("  load average: {}; other runnable threads: {}", mean(conditions.load), mean(conditions.runnable)),
        format!(
            "  clock: one thread {}, all threads {}",
            course(conditions.clock_ghz, " GHz", 2),
            course(conditions.clock_all_ghz, " GHz", 2)
        ),
        format!("  governor: {}; boost: {}", or_not(system.governor.clone()), or_not(boost)),
        format!("  temperature: {}", course(conditions.celsius, " °C", 0)),
    ]
}

/// Describes what became of a rate over a long time.
pub fn sustained(sustained: &Sustained) -> String {
    let Sustained { workload, unit, threads, stretches, .. } = sustained;
    let Some(last) = stretches.last() else { return format!("sustained {workload}: nothing was measured") };
    let rate = |stretches: &[Stretch]| median(&stretches.iter().map(Stretch::rate).collect::<Vec<_>>());
    // The first and the last tenth.
    let part = stretches.len().div_ceil(10);
    let (first, end) = (rate(&stretches[..part]), rate(&stretches[stretches.len() - part..]));
    let slowest = stretches.iter().map(Stretch::rate).fold(f64::INFINITY, f64::min);
    let seconds = (last.at_ms as f64 * 1e6 + last.ns as f64) / 1e9;
    let noun = if *threads == 1 { "thread" } else { "threads" };
    let [first_shown, end_shown, slowest] = [first, end, slowest].map(|rate| format!("{:.1}", rate / 1e6));
    format!(
        "sustained {workload} on {threads} {noun} for {seconds:.0} s: {first_shown} M/s in the first tenth, {end_shown} in the \
         last ({:+.1} %), {slowest} in the slowest of {} stretches; {unit}",
        100.0 * (end / first - 1.0),
        stretches.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_shown_and_the_rest_is_not_available() {
        let system = System { os: None, kernel: None, governor: Some("performance".into()), boost: None };
        let laptop = Conditions {
            seconds: 27.0,
            samples: 54,
            load: Readings::of(&[1.0, 2.0]),
            steal: Readings::of(&[0.1, 0.3]),
            clock_ghz: Readings::of(&[4.8, 4.9, 3.6]),
            celsius: Readings::of(&[40.0, 95.0, 90.0]),
            ..Conditions::default()
        };
        assert_eq!(
            lines(&laptop, &system).join("\n"),
            "conditions, 54 samples in 27 s\n  \
             other programs: not available of the processor time\n  \
             other virtual machines: 20.0 % (at most 30 %) of the time with work\n  \
             load average: 1.5 (at most 2.0); other runnable threads: not available\n  \
             clock: one thread 4.80 to 3.60 GHz (3.60 to 4.90), all threads not available\n  \
             governor: performance; boost: not available\n  \
             temperature: 40 to 90 °C (40 to 95)"
        );
        let none = lines(&Conditions::default(), &system).join("\n");
        assert!(none.ends_with("temperature: not available") && none.contains("load average: not available"), "{none}");
    }

    #[test]
    fn heat_shows_in_the_last_tenth() {
        let stretch = |number: u64| {
            let ns = if number < 50 { 1_000_000_000 } else { 1_250_000_000 };
            Stretch { at_ms: 1000 * number, nodes: 2_000_000_000, ns, celsius: None }
        };
        let of = |stretches| Sustained {
            workload: "setwise".into(),
            version: 1,
            unit: "leaves".into(),
            threads: 2,
            stretches,
        };
        let found = sustained(&of((0..100).map(stretch).collect()));
        assert!(found.contains("2000.0 M/s in the first tenth, 1600.0 in the last (-20.0 %)"), "{found}");
        assert_eq!(sustained(&of(vec![])), "sustained setwise: nothing was measured");
    }
}
