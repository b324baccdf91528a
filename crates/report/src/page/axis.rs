//! Axis of a chart: its title, its scale, and ticks that do not overlap.

use crate::page::format;

#[derive(Clone, Debug)]
pub struct Axis {
    /// Title, with the unit.
    pub title: String,
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    /// True if the ticks are powers of two.
    has_doublings: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Linear,
    Log,
}

/// Largest ratio of two values that are shown as bars. Beyond it, the shorter bar would be only a few pixels long.
const MAX_LENGTHS: f64 = 16.0;

/// Margin at the ends of an axis, as a fraction of the axis.
const MARGIN: f64 = 0.04;

const MAX_TICKS: usize = 8;
/// Half of a letter's width, in pixels.
const HALF_LETTER: f64 = 3.6;
/// Minimum distance between tick labels, in pixels.
const BETWEEN_TICKS: f64 = 12.0;

impl Axis {
    /// Returns an axis that starts at zero, so that the lengths of bars can be compared.
    pub fn from_zero(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Axis {
        let high = values.into_iter().fold(0.0, f64::max);
        let high = if high > 0.0 { high * (1.0 + MARGIN) } else { 1.0 };
        Axis { title: title.into(), scale: Scale::Linear, low: 0.0, high, has_doublings: false }
    }

    /// Returns an axis that starts at zero, or a logarithmic one if the values differ too much. The title names the
    /// quantity and says which direction is better.
    pub fn of_sizes([what, better]: [&str; 2], values: impl IntoIterator<Item = f64>) -> Axis {
        let sizes: Vec<f64> = values.into_iter().filter(|value| value.is_finite() && *value > 0.0).collect();
        let (low, high) = sizes.iter().fold((f64::MAX, 0.0_f64), |(low, high), &size| (low.min(size), high.max(size)));
        match high > MAX_LENGTHS * low {
            true => Axis::around(format!("{what}, logarithmic"), Scale::Log, sizes),
            false => Axis::from_zero(format!("{what}, {better}"), sizes),
        }
    }

    /// Returns an axis that spans the values.
    pub fn around(title: impl Into<String>, scale: Scale, values: impl IntoIterator<Item = f64>) -> Axis {
        let axis = Axis { title: title.into(), scale, low: 0.0, high: 1.0, has_doublings: false };
        let usable = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
        let places = values.into_iter().filter(usable).map(|value| axis.place(value));
        let (low, high) = places.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        // The axis must have some length even if all values are equal or there are none.
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let room = ((high - low) * MARGIN).max(if high == low { 0.1 } else { 0.0 });
        let value = |place: f64| if scale == Scale::Log { 10_f64.powf(place) } else { place };
        Axis { low: value(low - room), high: value(high + room), ..axis }
    }

    /// Makes the ticks powers of two.
    pub fn with_doublings(self) -> Axis {
        Axis { has_doublings: true, ..self }
    }

    /// Returns the position of a value in units of the axis. A value with no logarithm is placed at the low end.
    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Log if value > 0.0 => value.log10(),
            Scale::Log => self.low.log10(),
        }
    }

    /// Returns the position of a value as a percentage of the axis's length.
    pub fn percent(&self, value: f64) -> f64 {
        let [low, high] = [self.low, self.high].map(|end| self.place(end));
        (100.0 * (self.place(value) - low) / (high - low)).clamp(0.0, 100.0)
    }

    /// Returns as many ticks, each with its label, as fit on an axis that is `pixels` long.
    pub fn ticks_within(&self, pixels: f64) -> Vec<(f64, String)> {
        let half = |label: &str| HALF_LETTER * label.chars().count() as f64;
        let is_free = |ticks: &Vec<(f64, String)>| {
            ticks.windows(2).all(|pair| {
                let [(from, one), (to, other)] = pair else { unreachable!("two ticks") };
                (to - from) / 100.0 * pixels >= half(one) + half(other) + BETWEEN_TICKS
            })
        };
        (2..=MAX_TICKS).rev().map(|most| self.ticks(most)).find(is_free).unwrap_or_default()
    }

    /// Returns at most `most` ticks, each as its position in percent and its label.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let values = match self.scale {
            Scale::Log if self.has_doublings => {
                let doublings: Vec<f64> = (0..=self.high.log2() as i32).map(|power| 2_f64.powi(power)).collect();
                doublings.iter().copied().step_by(doublings.len().div_ceil(most)).collect()
            }
            Scale::Linear => multiples(self.low, self.high, most),
            Scale::Log => self.powers(most),
        };
        let inside = values.into_iter().filter(|value| (self.low..=self.high).contains(value));
        inside.map(|value| (self.percent(value), format::tick(value))).collect()
    }

    /// Returns at most `most` logarithmic ticks, such as 1, 2, 5, 10 or 1, 10, 100. A short axis gets linear ticks.
    fn powers(&self, most: usize) -> Vec<f64> {
        let decades = |steps: &[f64], every: i32| -> Vec<f64> {
            let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
            let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
            let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
            all.filter(|value| (self.low..=self.high).contains(value)).collect()
        };
        let mut choices = vec![
            decades(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0], 1),
            decades(&[1.0, 2.0, 5.0], 1),
            decades(&[1.0, 3.0], 1),
        ];
        choices.extend([1, 2, 3].map(|every| decades(&[1.0], every)));
        let found = choices.into_iter().find(|ticks| ticks.len() <= most).unwrap_or_default();
        if found.len() >= 2 { found } else { multiples(self.low, self.high, most.min(4)) }
    }
}

/// Returns at most `most` values in `low..=high`: multiples of the smallest possible step (1, 2 or 5 × a power of ten).
fn multiples(low: f64, high: f64, most: usize) -> Vec<f64> {
    let power = ((high - low) / most as f64).log10().floor() as i32;
    let steps = (power..=power + 2).flat_map(|power| [1.0, 2.0, 5.0].map(|step| (step, power)));
    let within = |(step, power): (f64, i32)| {
        // Negative powers of ten are not exact, so this divides by the positive power instead.
        let value = |number: f64| match power < 0 {
            true => number * step / 10_f64.powi(-power),
            false => number * step * 10_f64.powi(power),
        };
        let (first, last) = ((low / value(1.0)).ceil() as i64, (high / value(1.0)).floor() as i64);
        (first..=last).map(|number| value(number as f64)).collect::<Vec<_>>()
    };
    steps.map(within).find(|values| values.len() <= most).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(labels(&Axis::from_zero("", [9.0]), 6), ["0", "2", "4", "6", "8"]);
        assert_eq!(labels(&Axis::around("", Scale::Log, [1.0, 80.0]), 7), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(
            labels(&Axis::around("", Scale::Log, [1.0, 1e9]), 5),
            ["1", "100", "10,000", "1,000,000", "100,000,000"]
        );
        // A logarithmic axis shorter than a decade.
        assert!(labels(&Axis::around("", Scale::Log, [11.0, 13.0]), 5).len() >= 2);
    }

    #[test]
    fn labels_of_ticks_do_not_overlap() {
        let axis = Axis::from_zero("", [20_000.0]);
        assert_eq!([60.0, 170.0, 700.0].map(|pixels| axis.ticks_within(pixels).len()), [2, 3, 5]);
    }

    #[test]
    fn an_outlier_makes_an_axis_logarithmic() {
        let even = Axis::of_sizes(["ns", "fewer is better"], [2.0, 3.0, 9.0]);
        assert_eq!((even.scale, even.low, even.title.as_str()), (Scale::Linear, 0.0, "ns, fewer is better"));
        let squeezed = Axis::of_sizes(["ns", "fewer is better"], [2.0, 3.0, 900.0]);
        assert_eq!((squeezed.scale, squeezed.title.as_str()), (Scale::Log, "ns, logarithmic"));
        assert!(squeezed.percent(3.0) - squeezed.percent(2.0) > 5.0, "the two small ones are distinguished");
        assert_eq!(Axis::of_sizes(["ns", ""], []).scale, Scale::Linear);
    }

    #[test]
    fn an_axis_of_nothing_has_a_range() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [&[][..], &[3.0], &[f64::NAN, 0.0]] {
                let axis = Axis::around("", scale, values.iter().copied());
                assert!(axis.place(axis.low) < axis.place(axis.high), "{scale:?} {values:?}");
            }
        }
    }
}
