//! Tells the crate its own optimisation level, which records of measurements name.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo:rustc-env=PERFT_OPT_LEVEL={level}");
}
