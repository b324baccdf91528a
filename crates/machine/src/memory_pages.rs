//! Memory of this program that is in huge pages.

/// Returns how many bytes of this program's memory are in huge pages. `None`: the system does not say.
pub fn memory_in_huge_pages() -> Option<u64> {
    huge_bytes(&std::fs::read_to_string("/proc/self/smaps_rollup").ok()?)
}

/// Reads the sum over all mappings, as Linux writes it.
fn huge_bytes(rollup: &str) -> Option<u64> {
    let kibibytes = |field: &str| {
        let value = rollup.lines().find_map(|line| line.strip_prefix(field))?;
        value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    // Pages that were set aside for such tables count too.
    let reserved = kibibytes("Private_Hugetlb:").unwrap_or(0);
    Some((kibibytes("AnonHugePages:")? + reserved) << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_all_mappings_is_read() {
        let rollup = "55d0-7ffe ---p 00000000 00:00 0    [rollup]\nRss:     5632 kB\nAnonHugePages:      4096 kB\nPrivate_Hugetlb:       0 kB\n";
        assert_eq!(huge_bytes(rollup), Some(4 << 20));
        assert_eq!(huge_bytes(&rollup.replace("Hugetlb:       0", "Hugetlb:    2048")), Some(6 << 20));
        assert_eq!(huge_bytes(&rollup.replace("4096 kB", "0 kB")), Some(0));
        assert_eq!(huge_bytes("Rss: 5632 kB\n"), None);
        assert_eq!(huge_bytes("AnonHugePages: many kB\n"), None);
    }
}
