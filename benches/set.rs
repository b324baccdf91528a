//! Compares how fast keys are inserted into our set and into a public hash map, and how fast the memory itself is.
//!
//!     cargo bench --bench set [-- ROUNDS] [KEYS_IN_MILLIONS] [WAY ...]
//!
//! All keys are distinct, which is the costliest case. Each way of inserting keys runs once per round in warm memory.
//! `WAY` words on the command line select the ways with such a word in their names. Rates are medians in million keys
//! per second. The figure next to each rate says how many times as fast our set is.
//!
//! The *memory* ways read, modify and write one random entry per key, in as much memory as the set takes. The plain
//! loop relies on the processor to overlap accesses within its look-ahead. The other loop prefetches each cache line
//! early.

use hashbrown::{DefaultHashBuilder, HashMap};
use perft_gate_lab::measure::median;
use perft_gate_simd::{Level, Pages, prefetch};
use perft_gate_unique::set::{Entry, Set, Summary};
use std::sync::Mutex;
use std::time::Instant;

/// Number of shards of the locked map. A larger number was no faster.
const LOCKS: usize = 64;
/// Number of entries between the prefetch of a line and its use. Smaller and larger numbers were slower.
const AHEAD: usize = 128;

/// Returns a random-looking number, different for each `n` (SplitMix64's finaliser).
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

fn key(n: u64) -> [u32; 3] {
    let (low, high) = (mixed(2 * n), mixed(2 * n + 1));
    [low as u32, (low >> 32) as u32, high as u32]
}

/// Splits `0..keys` among threads that run `work` on their parts. Returns the rate in million keys per second.
fn rate(threads: u64, keys: u64, work: impl Fn(std::ops::Range<u64>) + Sync) -> f64 {
    let (start, part) = (Instant::now(), keys / threads);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || work(thread * part..(thread + 1) * part));
        }
    });
    (part * threads) as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn place(n: u64, entries: usize) -> usize {
    ((u128::from(mixed(n)) * entries as u128) >> 64) as usize
}

/// Returns as much memory as a set of `keys` keys takes, zeroed and touched.
fn touched(keys: u64) -> Pages<Entry<4>> {
    Pages::new_zeroed(Set::<4>::bytes_for(keys as usize) / size_of::<Entry<4>>()).expect("memory")
}

fn plain_loop(_: u64, keys: u64) -> f64 {
    let mut pages = touched(keys);
    let (entries, start) = (pages.len(), Instant::now());
    (0..keys).for_each(|n| pages[place(n, entries)][3] += 1);
    keys as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn prefetched(_: u64, keys: u64) -> f64 {
    let mut pages = touched(keys);
    let (entries, start, mut ring) = (pages.len(), Instant::now(), [0; AHEAD]);
    for n in 0..keys + AHEAD as u64 {
        let at = &mut ring[n as usize % AHEAD];
        if n >= AHEAD as u64 {
            pages[*at][3] += 1;
        }
        *at = place(n, entries);
        prefetch(&pages[*at]);
    }
    keys as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn set<const N: usize>(threads: u64, keys: u64) -> f64 {
    let set = Set::<N>::new(keys as usize).expect("memory");
    let rate = rate(threads, keys, |part| {
        let mut writer = set.writer(Level::detect());
        for n in part {
            let key = key(n);
            writer.insert(&std::array::from_fn(|word| key.get(word).copied().unwrap_or(0)), 1).expect("room");
        }
        writer.finish().expect("room");
    });
    assert_eq!(Summary::new(&set.into_parts()).distinct, keys / threads * threads);
    rate
}

fn hashbrown(threads: u64, keys: u64) -> f64 {
    let hasher = DefaultHashBuilder::default();
    let room = keys as usize / LOCKS + 6 * (keys as usize / LOCKS).isqrt();
    let map = || Mutex::new(HashMap::<[u32; 3], u32, _>::with_capacity_and_hasher(room, hasher.clone()));
    let maps: Vec<_> = (0..LOCKS).map(|_| map()).collect();
    let rate = rate(threads, keys, |part| {
        for n in part {
            let key = key(n);
            let mut map = maps[key[2] as usize % LOCKS].lock().expect("no panic");
            *map.entry(key).or_insert(0) += 1;
        }
    });
    assert_eq!(
        maps.iter().map(|map| map.lock().expect("no panic").len() as u64).sum::<u64>(),
        keys / threads * threads
    );
    rate
}

/// A way to insert keys: its name, whether it uses all threads, and a function that returns its rate in million keys/s.
struct Way(&'static str, bool, fn(threads: u64, keys: u64) -> f64);

const WAYS: [Way; 8] = [
    Way("memory, plain loop", false, plain_loop),
    Way("memory, prefetched", false, prefetched),
    Way("this set", false, set::<4>),
    Way("this set, all threads", true, set::<4>),
    Way("12-byte entries", false, set::<3>),
    Way("12 bytes, all threads", true, set::<3>),
    Way("hashbrown, 64 locks", false, hashbrown),
    Way("hashbrown, all threads", true, hashbrown),
];

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let rounds = numbers.first().map_or(9, |&rounds| rounds as usize);
    let keys = numbers.get(1).map_or(100_000_000, |&millions| millions * 1_000_000);
    let all = rayon::current_num_threads() as u64;
    let named: Vec<String> = std::env::args().skip(1).filter(|word| word.starts_with(char::is_alphabetic)).collect();
    let is_asked = |way: &&Way| named.is_empty() || named.iter().any(|word| way.0.contains(word.as_str()));
    let ways: Vec<_> = WAYS.iter().filter(is_asked).collect();
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for (Way(_, on_all, run), rates) in ways.iter().zip(&mut rates) {
            rates.push(run(if *on_all { all } else { 1 }, keys));
        }
    }
    let medians: Vec<_> = rates.iter().map(|rates| median(rates)).collect();
    let rate_of = |name: &str| ways.iter().position(|way| way.0 == name).map_or(f64::NAN, |at| medians[at]);
    println!("{keys} different keys, {all} threads, medians of {rounds} rounds, M keys/s");
    println!("{:<24} {:>7} {:>17} {:>9}", "", "M/s", "from to", "this set");
    for ((Way(name, on_all, _), rate), rates) in ways.iter().zip(&medians).zip(&rates) {
        let own = rate_of(if *on_all { "this set, all threads" } else { "this set" });
        println!("{name:<24} {rate:>7.1} {:>8.1} {:>8.1} {:>8.2}x", rates[0], rates[rounds - 1], own / rate);
    }
    println!("all threads / one: {:.2}", rate_of("this set, all threads") / rate_of("this set"));
    let bytes = Set::<4>::bytes_for(keys as usize) as f64;
    println!("bytes / entry bytes: {:.3}", bytes / (keys as f64 * size_of::<Entry<4>>() as f64));
}
