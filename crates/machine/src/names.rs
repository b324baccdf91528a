//! Names of processors: in full, for folders, and short ones for tables and charts (`Zen 5 EPYC`, `Ryzen 7 9800X3D`).
//!
//! A virtual machine may hide the number of its processor, but not its family and model, which tell the
//! microarchitecture. **Sources**: <https://en.wikichip.org/wiki/amd/cpuid> and
//! <https://en.wikichip.org/wiki/intel/cpuid>.

use crate::hardware::Hardware;

impl Hardware {
    /// Returns the processor's name without common additions; if it has no number, because a virtual machine hides it,
    /// with the identification added: `AMD EPYC (family 26, model 2)`.
    pub fn model(&self) -> String {
        let plain = self.cpu.replace("(R)", "").replace("(TM)", "").replace("(tm)", "");
        let plain = plain.split(" @ ").next().unwrap_or_default();
        let parts = plain.split_whitespace().filter(|part| !matches!(*part, "CPU" | "Processor"));
        let name = parts.collect::<Vec<_>>().join(" ");
        let numbers = self.signature.as_deref().and_then(|signature| signature.split(", stepping").next());
        match numbers {
            Some(numbers) if !name.contains(|c: char| c.is_ascii_digit()) => format!("{name} ({numbers})"),
            _ => name,
        }
    }

    /// Returns a name for folders: `amd-epyc-9b45-2-threads`.
    pub fn slug(&self) -> String {
        let text = format!("{} {} threads", self.model(), self.threads).to_lowercase();
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    }

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
    use super::*;
    use crate::Machine;

    fn hardware(cpu: &str, vendor: &str, signature: Option<&str>) -> Hardware {
        let signature = signature.map(str::to_string);
        Hardware { cpu: cpu.into(), vendor: vendor.into(), signature, threads: 2, ..Machine::this().hardware }
    }

    #[test]
    fn a_name_without_a_number_gets_those_of_the_processor() {
        let signature = Some("family 26, model 2, stepping 1");
        let epyc = hardware("AMD EPYC", "AuthenticAMD", signature);
        assert_eq!(epyc.model(), "AMD EPYC (family 26, model 2)");
        assert_eq!(epyc.slug(), "amd-epyc-family-26-model-2-2-threads");
        assert_eq!(hardware("AMD EPYC", "AuthenticAMD", None).model(), "AMD EPYC");
        assert_eq!(hardware("AMD EPYC 9B45 Processor", "AuthenticAMD", signature).model(), "AMD EPYC 9B45");
        let core = hardware("Intel(R) Core(TM) i7-1165G7 CPU @ 2.80GHz", "GenuineIntel", None);
        assert_eq!(core.slug(), "intel-core-i7-1165g7-2-threads");
    }

    #[test]
    fn a_short_name_has_a_number_or_the_microarchitecture() {
        for (cpu, vendor, signature, expected) in [
            (
                "AMD Ryzen 7 9800X3D 8-Core Processor",
                "AuthenticAMD",
                "family 26, model 68, stepping 0",
                "Ryzen 7 9800X3D",
            ),
            (
                "AMD Ryzen 7 5800U with Radeon Graphics",
                "AuthenticAMD",
                "family 25, model 80, stepping 0",
                "Ryzen 7 5800U",
            ),
            (
                "Intel(R) Xeon(R) Platinum 8488C",
                "GenuineIntel",
                "family 6, model 143, stepping 8",
                "Xeon Platinum 8488C",
            ),
            ("Intel(R) Core(TM) i7-1165G7 CPU @ 2.80GHz", "GenuineIntel", "family 6, model 140", "Core i7-1165G7"),
            ("AMD EPYC", "AuthenticAMD", "family 26, model 2, stepping 1", "Zen 5 EPYC"),
            ("AMD EPYC Processor", "AuthenticAMD", "family 25, model 17, stepping 1", "Zen 4 EPYC"),
            ("AMD EPYC", "AuthenticAMD", "family 25, model 1, stepping 1", "Zen 3 EPYC"),
            (
                "Intel(R) Xeon(R) CPU @ 2.20GHz",
                "GenuineIntel",
                "family 6, model 207, stepping 2",
                "Emerald Rapids Xeon",
            ),
            // What is not known keeps its numbers.
            ("AMD EPYC", "AuthenticAMD", "family 99, model 1, stepping 1", "AMD EPYC (family 99, model 1)"),
            ("AMD", "AuthenticAMD", "none", "AMD (none)"),
        ] {
            assert_eq!(hardware(cpu, vendor, Some(signature)).short_name(), expected);
        }
    }
}
