//! Short names of processors, for tables and charts: `Zen 5 EPYC`, `Ryzen 7 9800X3D`.
//!
//! A virtual machine may hide the number of its processor, but not its family and model, which tell the
//! microarchitecture. **Sources**: <https://en.wikichip.org/wiki/amd/cpuid> and
//! <https://en.wikichip.org/wiki/intel/cpuid>.

use crate::hardware::Hardware;

impl Hardware {
    /// Returns the processor's name without its vendor and its number of cores; if it has no number, with the
    /// microarchitecture before it.
    pub fn short_name(&self) -> String {
        let model = self.model();
        // What `model` adds to a name without a number.
        let name = model.split(" (").next().unwrap_or(&model);
        let is_number = |text: &str| text.contains(|letter: char| letter.is_ascii_digit());
        let is_noise = |word: &str| matches!(word, "AMD" | "Intel") || word.ends_with("-Core");
        let words: Vec<&str> = name.split(" with ").next().unwrap_or(name).split_whitespace().collect();
        let kept: Vec<&str> = words.iter().copied().filter(|word| !is_noise(word)).collect();
        let short = kept.join(" ");
        match self.microarchitecture() {
            _ if short.is_empty() => model,
            _ if is_number(&short) => short,
            Some(microarchitecture) => format!("{microarchitecture} {short}"),
            None => model,
        }
    }

    /// Returns the microarchitecture, if it is one of those of usual servers.
    fn microarchitecture(&self) -> Option<&'static str> {
        let (family, model) = family_and_model(self.signature.as_deref()?)?;
        Some(match (self.vendor.as_str(), family, model) {
            ("AuthenticAMD", 23, 0..=47) => "Zen",
            ("AuthenticAMD", 23, _) => "Zen 2",
            ("AuthenticAMD", 25, 16..=31 | 96..=127 | 160..=175) => "Zen 4",
            ("AuthenticAMD", 25, _) => "Zen 3",
            ("AuthenticAMD", 26, 0..=79 | 96..=127) => "Zen 5",
            ("GenuineIntel", 6, 63) => "Haswell",
            ("GenuineIntel", 6, 79 | 86) => "Broadwell",
            ("GenuineIntel", 6, 85) => "Skylake",
            ("GenuineIntel", 6, 106 | 108) => "Ice Lake",
            ("GenuineIntel", 6, 143) => "Sapphire Rapids",
            ("GenuineIntel", 6, 207) => "Emerald Rapids",
            ("GenuineIntel", 6, 173 | 174) => "Granite Rapids",
            _ => return None,
        })
    }
}

/// Reads `family 26, model 2, stepping 1`.
fn family_and_model(signature: &str) -> Option<(u32, u32)> {
    let number = |name: &str| signature.split(", ").find_map(|part| part.strip_prefix(name))?.parse().ok();
    Some((number("family ")?, number("model ")?))
}

#[cfg(test)]
mod tests {
    use crate::Machine;

    fn short(cpu: &str, vendor: &str, signature: &str) -> String {
        let mut hardware = Machine::this().hardware;
        (hardware.cpu, hardware.vendor, hardware.signature) = (cpu.into(), vendor.into(), Some(signature.into()));
        hardware.short_name()
    }

    #[test]
    fn a_number_is_enough() {
        let of_amd = |cpu| short(cpu, "AuthenticAMD", "family 26, model 68, stepping 0");
        assert_eq!(of_amd("AMD Ryzen 7 9800X3D 8-Core Processor"), "Ryzen 7 9800X3D");
        assert_eq!(of_amd("AMD Ryzen 7 5800U with Radeon Graphics"), "Ryzen 7 5800U");
        let of_intel = |cpu| short(cpu, "GenuineIntel", "family 6, model 143, stepping 8");
        assert_eq!(of_intel("Intel(R) Xeon(R) Platinum 8488C"), "Xeon Platinum 8488C");
        assert_eq!(of_intel("Intel(R) Core(TM) i7-1165G7 CPU @ 2.80GHz"), "Core i7-1165G7");
    }

    #[test]
    fn a_hidden_number_is_replaced_by_the_microarchitecture() {
        assert_eq!(short("AMD EPYC", "AuthenticAMD", "family 26, model 2, stepping 1"), "Zen 5 EPYC");
        assert_eq!(short("AMD EPYC Processor", "AuthenticAMD", "family 25, model 17, stepping 1"), "Zen 4 EPYC");
        assert_eq!(short("AMD EPYC", "AuthenticAMD", "family 25, model 1, stepping 1"), "Zen 3 EPYC");
        assert_eq!(
            short("Intel(R) Xeon(R) CPU @ 2.20GHz", "GenuineIntel", "family 6, model 207, stepping 2"),
            "Emerald Rapids Xeon"
        );
        // What is not known keeps its numbers.
        assert_eq!(
            short("AMD EPYC", "AuthenticAMD", "family 99, model 1, stepping 1"),
            "AMD EPYC (family 99, model 1)"
        );
        assert_eq!(short("AMD", "AuthenticAMD", "none"), "AMD (none)");
    }
}
