//! Fingerprint of the machine: everything that determines its speed and that the system reports.
//!
//! Properties that cannot be read are absent. In a container, most properties are absent. Nothing in the fingerprint
//! identifies an individual machine.
//!
//! A processor has a full name, used for folders, and a short one, used in tables and charts (`Zen 5 EPYC`, `Ryzen 7
//! 9800X3D`). A virtual machine may hide the model number in a processor's name, but not its family and model, which
//! identify the microarchitecture. **Sources**: <https://en.wikichip.org/wiki/amd/cpuid> and
//! <https://en.wikichip.org/wiki/intel/cpuid>.

use serde::{Deserialize, Serialize};

/// A machine and its system.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Machine {
    /// Hardware. Two records from the same hardware are compared as measurements of two builds of the program.
    pub hardware: Hardware,
    /// Operating system and its settings.
    pub system: System,
}

/// Hardware of a machine.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Hardware {
    /// Model name of the processor.
    pub cpu: String,
    /// Vendor of the processor.
    pub vendor: String,
    /// Identification of the processor, which distinguishes models that share a name: `family 26, model 2, stepping 1`,
    /// or `implementer 0x41, part 0xd40`.
    pub signature: Option<String>,
    /// Instruction set extensions of the processor that matter to this program.
    pub features: Vec<String>,
    /// Number of physical cores.
    pub cores: Option<usize>,
    /// Number of hardware threads that this process may use.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// True if two hardware threads share a core.
    pub smt: Option<bool>,
    /// Caches of the first core.
    pub caches: Vec<Cache>,
    /// Number of NUMA nodes.
    pub numa_nodes: Option<usize>,
    /// Total memory, rounded to whole GiB, because the amount that the system reserves differs from boot to boot.
    pub memory_gib: u64,
    /// True if the machine is a virtual machine.
    pub virtualised: Option<bool>,
}

/// A cache.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    /// Level, from 1.
    pub level: u32,
    /// Kind: `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Size in KiB.
    pub kib: u64,
    /// Number of hardware threads that share the cache.
    pub shared_by: usize,
}

/// Operating system of a machine, and its settings.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// Name and version.
    pub os: Option<String>,
    /// Version of the kernel.
    pub kernel: Option<String>,
    /// Governor that chooses clock speeds.
    pub governor: Option<String>,
    /// True if clock speeds may exceed the nominal clock speed.
    pub boost: Option<bool>,
}

impl Hardware {
    /// Returns the processor's name without common additions such as `(R)`. If a virtual machine hides the model
    /// number, the family and model are appended: `AMD EPYC (family 26, model 2)`.
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

    /// Returns a name that can be used for a folder: `amd-epyc-9b45-2-threads`.
    pub fn slug(&self) -> String {
        let text = format!("{} {} threads", self.model(), self.threads).to_lowercase();
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    }

    /// Returns the processor's name without its vendor and its number of cores. If the name contains no number, the
    /// microarchitecture is put before it.
    pub fn short_name(&self) -> String {
        let model = self.model();
        // Remove the identification that `model` appends to a name without a number.
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

    /// Returns the microarchitecture if it is common in servers.
    fn microarchitecture(&self) -> Option<&'static str> {
        // The signature looks like `family 26, model 2, stepping 1`.
        let mut parts = self.signature.as_deref()?.split(", ");
        let [family, model] = ["family ", "model "].map(|name| parts.next()?.strip_prefix(name)?.parse::<u32>().ok());
        let (family, model) = (family?, model?);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Machine;

    fn hardware(cpu: &str, vendor: &str, signature: Option<&str>) -> Hardware {
        let signature = signature.map(str::to_string);
        Hardware { cpu: cpu.into(), vendor: vendor.into(), signature, threads: 2, ..Machine::detect().hardware }
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
        const AMD: &str = "AuthenticAMD";
        const INTEL: &str = "GenuineIntel";
        for (cpu, vendor, (family, model), expected) in [
            ("AMD Ryzen 7 9800X3D 8-Core Processor", AMD, (26, 68), "Ryzen 7 9800X3D"),
            ("AMD Ryzen 7 5800U with Radeon Graphics", AMD, (25, 80), "Ryzen 7 5800U"),
            ("Intel(R) Xeon(R) Platinum 8488C", INTEL, (6, 143), "Xeon Platinum 8488C"),
            ("Intel(R) Core(TM) i7-1165G7 CPU @ 2.80GHz", INTEL, (6, 140), "Core i7-1165G7"),
            ("AMD EPYC", AMD, (26, 2), "Zen 5 EPYC"),
            ("AMD EPYC Processor", AMD, (25, 17), "Zen 4 EPYC"),
            ("AMD EPYC", AMD, (25, 1), "Zen 3 EPYC"),
            ("Intel(R) Xeon(R) CPU @ 2.20GHz", INTEL, (6, 207), "Emerald Rapids Xeon"),
            // If the microarchitecture is unknown, the family and model stay in the name.
            ("AMD EPYC", AMD, (99, 1), "AMD EPYC (family 99, model 1)"),
        ] {
            let signature = format!("family {family}, model {model}, stepping 1");
            assert_eq!(hardware(cpu, vendor, Some(&signature)).short_name(), expected);
        }
        assert_eq!(hardware("AMD", AMD, Some("none")).short_name(), "AMD (none)");
    }
}
