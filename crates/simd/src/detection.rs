//! The instructions that a machine has: the one place that names instructions to detect.

#[cfg(target_arch = "x86_64")]
macro_rules! missing {
    ($($name:tt)*) => {{
        let all = [$(($name, is_x86_feature_detected!($name))),*];
        all.into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect()
    }};
}

/// Returns those instruction sets of level v3 that this machine lacks.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing_of_v3() -> Vec<&'static str> {
    missing!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt")
}

/// Returns those instruction sets that this machine lacks of AVX-512 as Ice Lake and Zen 4 have it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing_of_v4() -> Vec<&'static str> {
    missing!("avx2" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq")
}

/// Returns true if this machine has AVX-512 as Ice Lake and Zen 4 have it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_wide() -> bool {
    missing_of_v4().is_empty()
}

/// Returns true on AMD before Zen 3 (family 19h), which runs PEXT in microcode, at up to 300 cycles.
#[cfg(target_arch = "x86_64")]
pub(crate) fn pext_is_microcoded() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let is_amd = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 15) + (signature >> 20 & 255);
    is_amd && family < 0x19
}
