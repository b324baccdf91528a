//! Instruction sets of the processor.

macro_rules! detected {
    ($detect:tt: $($name:tt)*) => {
        [$(($name, std::arch::$detect!($name))),*].into_iter().filter(|(_, has)| *has).map(|(name, _)| name.into()).collect()
    };
}

/// Returns those of these instruction sets that the machine has.
#[cfg(target_arch = "x86_64")]
pub(crate) fn features() -> Vec<String> {
    detected!(is_x86_feature_detected: "popcnt" "lzcnt" "bmi1" "bmi2" "pclmulqdq" "avx2" "gfni" "avx512f" "avx512bw"
        "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "avx512bitalg")
}

/// Returns those of these instruction sets that the machine has.
#[cfg(target_arch = "aarch64")]
pub(crate) fn features() -> Vec<String> {
    detected!(is_aarch64_feature_detected: "asimd" "aes" "pmull" "sha2" "sha3" "crc" "lse" "dotprod" "i8mm" "sve" "sve2"
        "sve2-bitperm")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn features() -> Vec<String> {
    Vec::new()
}
