//! `perft key`. The keys themselves are among the goldens.

use crate::common::perft;

#[test]
fn moves_may_be_one_argument() {
    let key = |moves: &[&str]| {
        let output = perft(&[&["key", "--moves"], moves].concat());
        assert_eq!(output.code, Some(0), "{moves:?}: {}", output.stderr);
        output.stdout
    };
    assert_eq!(key(&["e2e4 e7e5  g1f3"]), key(&["e2e4", "e7e5", "g1f3"]));
    assert_eq!(key(&["e2e4 e7e5", "g1f3"]), key(&["e2e4", "e7e5", "g1f3"]));
}
