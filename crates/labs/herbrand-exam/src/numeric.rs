//! Answers that are numbers, where the choices are numbers.

use crate::reason::Fault;

/// Returns the choice that a number means: the only choice whose value is rounded to that number. The number may be a fraction,
/// or in percent. `None` if the choices are not numbers, or if the text is none.
pub(crate) fn choice(choices: &[String], text: &str) -> Option<Result<usize, Fault>> {
    let values: Vec<f64> = choices
        .iter()
        .map(|choice| choice.parse().ok())
        .collect::<Option<_>>()?;
    let given = Given::read(text)?;
    let mut fitting = (0..values.len()).filter(|&index| given.fits(values[index]));
    let (first, second) = (fitting.next(), fitting.next());
    Some(match (first, second) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Fault::unread(format!(
            "the answer `{}` is none of the choices {}, also when they are rounded to as many digits",
            text.trim(),
            choices.join(", ")
        ))),
        (Some(one), Some(other)) => Err(Fault::unread(format!(
            "the answer `{}` may be {} or {}: more digits or a letter would tell",
            text.trim(),
            choices[one],
            choices[other]
        ))),
    })
}

/// A number as it was written.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Given {
    value: f64,
    /// The greatest distance of a number that is written like this when rounded.
    tolerance: f64,
}

impl Given {
    /// The distance within which fractions are equal to a choice: choices have six digits after the point.
    const EXACT: f64 = 1e-6;

    fn read(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('.');
        let (text, scale) = match text.strip_suffix('%') {
            Some(text) => (text.trim_end(), 0.01),
            None => (text, 1.0),
        };
        if let Some((above, below)) = text.split_once('/') {
            let (above, below) = (decimal(above.trim())?, decimal(below.trim())?);
            let value = scale * above.0 / below.0;
            return value.is_finite().then_some(Self {
                value,
                tolerance: Self::EXACT,
            });
        }
        let (value, digits) = decimal(text)?;
        Some(Self {
            value: scale * value,
            // A little more than half of the last digit, because numbers in binary are rounded too.
            tolerance: scale * 0.5 * 10f64.powi(-(digits as i32)) * (1.0 + 1e-9) + 1e-12,
        })
    }

    fn fits(self, choice: f64) -> bool {
        (self.value - choice).abs() <= self.tolerance
    }
}

/// Reads a number with a decimal point or comma. Returns it with the number of its digits after the point.
fn decimal(text: &str) -> Option<(f64, usize)> {
    let text = text.replace(',', ".");
    let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".-+".contains(&byte));
    let value: f64 = text.parse().ok().filter(|_| is_plain)?;
    (digits <= 300).then_some((value, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_only_choice_that_is_rounded_to_it() {
        let choices = ["0.495625", "0.300000", "1.200000", "0.000000"].map(str::to_owned);
        let read = |text: &str| choice(&choices, text).map(|found| found.map_err(|fault| fault.reason));
        for (text, index) in [
            ("0.495625", 0),
            ("0.4956", 0),
            ("0.496", 0),
            (".50", 0),
            ("49.6 %", 0),
            ("0,496", 0),
            ("3/10", 1),
            ("0.3", 1),
            ("1.2.", 2),
            ("6/5", 2),
            ("0.0", 3),
            ("-0.00", 3),
        ] {
            assert_eq!(read(text), Some(Ok(index)), "{text}");
        }
        for (text, part) in [
            ("0.497", "is none of the choices 0.495625, 0.300000"),
            ("0.4957", "is none of"),
            ("1/3", "is none of"),
            ("0", "may be 0.495625 or 0.300000"),
        ] {
            let fault = read(text)
                .and_then(Result::err)
                .unwrap_or_else(|| panic!("{text}"));
            assert!(fault.contains(part), "{text}: {fault}");
        }
        for text in ["A", "", "about 0.5", "1e3", "1/0", "nan", "0.1.2"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(choice(&["on a b".to_owned()], "0.5").is_none(), "no numbers");
    }
}
