//! Runs the fuzz targets' bodies over the committed corpus and a seeded sample of its mutations.

#[path = "../../fuzz/bodies.rs"]
mod bodies;

use super::generator;
use crate::common::root;

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<_> =
        std::fs::read_dir(root("fuzz/corpus").join(target)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Replays the corpus and then `rounds` mutations, which replace or remove bytes or repeat the tail.
fn replay(target: &str, body: fn(&[u8]), rounds: usize) {
    let inputs = corpus(target);
    assert!(inputs.len() >= 6, "{target}: the corpus is gone");
    inputs.iter().for_each(|input| body(input));
    let mut random = generator::random(0x5eed);
    for _ in 0..rounds {
        let mut input = inputs[random() as usize % inputs.len()].clone();
        for _ in 0..1 + random() % 4 {
            let at = random() as usize % (input.len() + 1);
            match random() % 3 {
                0 if at < input.len() => input[at] = b" -/;DKQkqabcdefgh0123456789pnbrw#\r\n"[random() as usize % 34],
                1 if at < input.len() => drop(input.remove(at)),
                _ => {
                    let tail = input[at..].to_vec();
                    input.extend(tail);
                }
            }
        }
        body(&input);
    }
}

#[test]
fn no_input_in_or_near_the_corpus_breaks_a_rule() {
    replay("fen", bodies::fen, 20_000);
    replay("epd", bodies::epd, 20_000);
    replay("play", bodies::play, 500);
}
