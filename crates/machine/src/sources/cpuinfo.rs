//! Linux's description of the processors, `/proc/cpuinfo`.
#![cfg_attr(any(target_os = "macos", windows), allow(dead_code))]

/// Returns every value of this name.
fn values<'a>(cpuinfo: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    fields.map(|(key, value)| (key.trim(), value.trim())).filter_map(move |(key, value)| (key == name).then_some(value))
}

/// Returns the numbers that identify the processor: family, model and stepping, or, on ARM, implementer and part of each
/// kind of core.
pub(super) fn signature(cpuinfo: &str) -> Option<String> {
    x86_signature(cpuinfo).or_else(|| arm_signature(cpuinfo))
}

fn x86_signature(cpuinfo: &str) -> Option<String> {
    let [family, model, stepping] = ["cpu family", "model", "stepping"].map(|name| values(cpuinfo, name).next());
    Some(format!("family {}, model {}, stepping {}", family?, model?, stepping?))
}

fn arm_signature(cpuinfo: &str) -> Option<String> {
    let mut kinds = Vec::new();
    for (implementer, part) in values(cpuinfo, "CPU implementer").zip(values(cpuinfo, "CPU part")) {
        let kind = format!("implementer {implementer}, part {part}");
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Some(kinds.join("; ")).filter(|kinds| !kinds.is_empty())
}

/// Returns true if the processor says that it is virtual; ARM processors do not say.
pub(super) fn is_virtual(cpuinfo: &str) -> Option<bool> {
    Some(values(cpuinfo, "flags").next()?.split_ascii_whitespace().any(|flag| flag == "hypervisor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_told_apart_by_numbers_where_names_are_equal() {
        let text = "vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nstepping\t: 1\nflags\t: fpu hypervisor\n";
        assert_eq!(signature(text).as_deref(), Some("family 26, model 2, stepping 1"));
        assert_eq!(
            (is_virtual(text), is_virtual("flags: fpu"), is_virtual("Features: fp asimd")),
            (Some(true), Some(false), None)
        );
        assert_eq!(signature("processor: 0"), None);
    }

    #[test]
    fn arm_processors_are_identified_by_implementer_and_part() {
        let core = |number: u32, part: &str| {
            format!(
                "processor\t: {number}\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd aes\nCPU implementer\t: 0x41\n\
                 CPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: {part}\nCPU revision\t: 1\n\n"
            )
        };
        let equal: String = (0..4).map(|number| core(number, "0xd40")).collect();
        assert_eq!(signature(&equal).as_deref(), Some("implementer 0x41, part 0xd40"));
        let mixed = core(0, "0xd05") + &core(1, "0xd05") + &core(2, "0xd0b");
        assert_eq!(signature(&mixed).as_deref(), Some("implementer 0x41, part 0xd05; implementer 0x41, part 0xd0b"));
    }
}
