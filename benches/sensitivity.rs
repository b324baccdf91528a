//! Measures how often a comparison misses a real difference or reports a false one. The default scheme is compared with
//! itself and with a slowed copy of itself.
//!
//!     cargo bench --bench sensitivity [-- REPEATS] [BUDGET_IN_SECONDS] [PERCENT] [TABLE_IN_MIB]
//!
//! Fails if more than one comparison in fifty reports a false difference, or if fewer than 45 in fifty find the real
//! one. After each pass, the slowed copy waits for a fixed fraction of the time that the pass took.

use perft_gate_lab::measure::{
    Contestant, Contestants, CostVerdict, MakeUnmake, RoundPlan, Scattered, TimedWork, TranspositionTable, Works,
    sample,
};
use perft_gate_simd::Level;
use perft_gate_zobrist::preset;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Slows down each pass of contestant [`SLOWED`] by the factor in the second field.
struct Slowed<'a>(Scattered<'a>, f64);

const SLOWED: usize = 3;

impl Works for Slowed<'_> {
    fn lend(&mut self, place: u64, round: &mut dyn FnMut(&mut [TimedWork<'_>])) {
        let Slowed(works, times) = self;
        works.lend(place, &mut |works| {
            // The passes of all contestants are wrapped, so that the extra call costs each contestant the same time.
            for (number, work) in works.iter_mut().enumerate() {
                let times = if number == SLOWED { *times } else { 1.0 };
                let mut quick = std::mem::replace(&mut work.pass, Box::new(|| 0));
                work.pass = Box::new(move || {
                    let start = Instant::now();
                    let nodes = quick();
                    let until = start.elapsed().mul_f64(times);
                    while start.elapsed() < until {
                        std::hint::spin_loop();
                    }
                    nodes
                });
            }
            round(works);
        });
    }
}

fn main() {
    let numbers: Vec<f64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let number = |at: usize, default: f64| numbers.get(at).copied().unwrap_or(default);
    let (repeats, budget, percent) = (number(0, 50.0) as u64, number(1, 15.0), number(2, 3.0));
    let mut path = MakeUnmake::classic(Level::detect());
    if number(3, 0.0) > 0.0 {
        path = path.beside(TranspositionTable::new((number(3, 0.0) as u64) << 20).expect("memory"));
    }
    // Contestant 0 is `none`. Contestant 2 is an unchanged copy of contestant 1, and contestant 3 is the slowed copy.
    let mut lineup = Contestants::new(vec![Contestant::new(preset("cpw793").expect("a preset").clone()); 3]);
    // The second comparison is with the `none` scheme and is not of interest here.
    lineup.tables.truncate(1);
    assert_eq!(lineup.tables[0].reference, 1);
    let (mut made_up, mut found, mut rounds) = (0, 0, 0);
    for repeat in 0..repeats {
        let plan = RoundPlan::within(Duration::from_secs_f64(budget), repeat);
        let mut works = Slowed(Scattered(&path, &lineup.contestants), 1.0 + percent / 100.0);
        let stop = AtomicBool::new(false);
        let sampled = sample(&mut works, plan, &Instant::now, &stop, |samples| lineup.is_settled(samples));
        let samples = sampled.expect("right counts");
        let table = &lineup.judge(&samples)[0];
        let [same, slowed] = [0, 1].map(|at| table.comparisons[at]);
        made_up += u64::from(matches!(same.verdict, CostVerdict::Slower | CostVerdict::Faster));
        found += u64::from(slowed.verdict == CostVerdict::Slower);
        rounds += samples.rounds.len() as u64;
        println!(
            "{repeat:>3}: {} rounds, floor {:.2} %; the same {:.4} {}; slowed {:.4} {}",
            samples.rounds.len(),
            100.0 * table.floor,
            same.ratio.median,
            same.verdict,
            slowed.ratio.median,
            slowed.verdict
        );
    }
    println!("{repeats} repeats of at most {budget} s, {:.0} rounds each", rounds as f64 / repeats as f64);
    println!("the same called different: {made_up}; {percent} % slower found: {found}");
    if made_up > repeats.div_ceil(50) || found * 50 < repeats * 45 {
        std::process::exit(1);
    }
}
