//! Polynomials in several variables.

use std::fmt::Write as _;

/// A monomial: ascending variables with their powers. Without variables it is 1.
type Monomial = Box<[(u32, u32)]>;

/// A sum of monomials with nonzero coefficients, ordered by monomial.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Polynomial {
    /// The monomials with their coefficients as bits.
    terms: Vec<(Monomial, u64)>,
}

impl Polynomial {
    pub(super) fn constant(value: f64) -> Self {
        if value == 0.0 {
            return Self::default();
        }
        Self {
            terms: vec![(Box::new([]), value.to_bits())],
        }
    }

    pub(super) fn variable(number: u32) -> Self {
        Self {
            terms: vec![(Box::new([(number, 1)]), 1.0_f64.to_bits())],
        }
    }

    /// Returns the value of a constant polynomial; `None` if it contains variables.
    pub(super) fn as_constant(&self) -> Option<f64> {
        match &self.terms[..] {
            [] => Some(0.0),
            [(monomial, bits)] if monomial.is_empty() => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// Returns the constant term. The monomial without variables comes first.
    pub(super) fn offset(&self) -> f64 {
        match self.terms.first() {
            Some((monomial, bits)) if monomial.is_empty() => f64::from_bits(*bits),
            _ => 0.0,
        }
    }

    /// Returns the polynomial without its constant term.
    pub(super) fn form(&self) -> Self {
        let terms = self.terms.iter().filter(|(monomial, _)| !monomial.is_empty());
        Self {
            terms: terms.cloned().collect(),
        }
    }

    /// Returns the coefficient of each variable; `None` if the polynomial is not linear.
    pub(super) fn linear(&self) -> Option<Vec<(u32, f64)>> {
        let varying = self.terms.iter().filter(|(monomial, _)| !monomial.is_empty());
        varying
            .map(|(monomial, bits)| match **monomial {
                [(variable, 1)] => Some((variable, f64::from_bits(*bits))),
                _ => None,
            })
            .collect()
    }

    /// Returns the number of terms.
    pub(super) const fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns whether all coefficients are finite.
    pub(super) fn is_finite(&self) -> bool {
        self.terms
            .iter()
            .all(|(_, bits)| f64::from_bits(*bits).is_finite())
    }

    /// Returns the coefficient of the first monomial with a variable.
    pub(super) fn leading(&self) -> f64 {
        let varying = self.terms.iter().find(|(monomial, _)| !monomial.is_empty());
        varying.map_or(0.0, |(_, bits)| f64::from_bits(*bits))
    }

    fn gathered(mut terms: Vec<(Monomial, f64)>) -> Self {
        terms.sort_by(|one, other| one.0.cmp(&other.0));
        let mut gathered: Vec<(Monomial, f64)> = Vec::with_capacity(terms.len());
        for (monomial, coefficient) in terms {
            match gathered.last_mut() {
                Some((last, sum)) if *last == monomial => *sum += coefficient,
                _ => gathered.push((monomial, coefficient)),
            }
        }
        let kept = gathered
            .into_iter()
            .filter(|(_, coefficient)| *coefficient != 0.0);
        Self {
            terms: kept
                .map(|(monomial, coefficient)| (monomial, coefficient.to_bits()))
                .collect(),
        }
    }

    fn terms(&self) -> impl Iterator<Item = (&Monomial, f64)> {
        self.terms
            .iter()
            .map(|(monomial, bits)| (monomial, f64::from_bits(*bits)))
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let all = self.terms().chain(other.terms());
        Self::gathered(all.map(|(monomial, one)| (monomial.clone(), one)).collect())
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        let negated = other.terms().map(|(monomial, one)| (monomial, -one));
        let all = self.terms().chain(negated);
        Self::gathered(all.map(|(monomial, one)| (monomial.clone(), one)).collect())
    }

    /// Returns the product; `None` if a power in it is above 1,000, since evaluation takes time linear in a power.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (one, a) in self.terms() {
            for (two, b) in other.terms() {
                terms.push((product(one, two)?, a * b));
            }
        }
        Some(Self::gathered(terms))
    }

    /// Applies `f` to each coefficient.
    pub(super) fn mapped(&self, f: impl Fn(f64) -> f64) -> Self {
        Self::gathered(
            self.terms()
                .map(|(monomial, one)| (monomial.clone(), f(one)))
                .collect(),
        )
    }

    pub(super) fn value(&self, of: &impl Fn(u32) -> f64) -> f64 {
        let term = |(monomial, coefficient): (&Monomial, f64)| {
            let powers = monomial
                .iter()
                .map(|&(variable, power)| (0..power).fold(1.0, |product, _| product * of(variable)));
            powers.fold(coefficient, |product, power| product * power)
        };
        self.terms().map(term).fold(0.0, |sum, one| sum + one)
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = u32> {
        self.terms
            .iter()
            .flat_map(|(monomial, _)| monomial.iter().map(|&(variable, _)| variable))
    }

    /// Renumbers the variables.
    pub(super) fn renamed(&self, number: &impl Fn(u32) -> u32) -> Self {
        let renamed = |monomial: &Monomial| {
            let mut factors: Vec<(u32, u32)> = monomial
                .iter()
                .map(|&(variable, power)| (number(variable), power))
                .collect();
            factors.sort_unstable();
            factors.into()
        };
        Self::gathered(
            self.terms()
                .map(|(monomial, one)| (renamed(monomial), one))
                .collect(),
        )
    }

    /// Formats the polynomial with the constant term last.
    pub(super) fn text(&self, name: &impl Fn(u32) -> String) -> String {
        let mut text = String::new();
        let varying = self.terms().filter(|(monomial, _)| !monomial.is_empty());
        let constant = self.terms().filter(|(monomial, _)| monomial.is_empty());
        for (monomial, coefficient) in varying.chain(constant) {
            let factors: Vec<String> = monomial
                .iter()
                .map(|&(variable, power)| match power {
                    1 => name(variable),
                    _ => format!("{}^{power}", name(variable)),
                })
                .collect();
            let sign = match (text.is_empty(), coefficient < 0.0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let size = coefficient.abs();
            if factors.is_empty() {
                let _ = write!(text, "{size}");
            } else if size == 1.0 {
                text.push_str(&factors.join(" "));
            } else {
                let _ = write!(text, "{size} {}", factors.join(" "));
            }
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}

fn product(one: &[(u32, u32)], two: &[(u32, u32)]) -> Option<Monomial> {
    const MOST: u32 = 1000;
    let mut all: Vec<(u32, u32)> = [one, two].concat();
    all.sort_unstable();
    let mut factors: Vec<(u32, u32)> = Vec::with_capacity(all.len());
    for (variable, power) in all {
        match factors.last_mut() {
            Some((last, sum)) if *last == variable => *sum += power,
            _ => factors.push((variable, power)),
        }
    }
    let is_low = factors.iter().all(|&(_, power)| power <= MOST);
    is_low.then(|| factors.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(polynomial: &Polynomial) -> String {
        polynomial.text(&|variable| ["x", "y"][variable as usize].to_owned())
    }

    #[test]
    fn polynomials_are_added_and_multiplied() {
        let (x, y, two) = (
            Polynomial::variable(0),
            Polynomial::variable(1),
            Polynomial::constant(2.0),
        );
        let sum = x.plus(&y).minus(&two);
        assert_eq!(text(&sum), "x + y - 2");
        let square = sum.times(&sum).unwrap();
        assert_eq!(text(&square), "-4 x + 2 x y + x^2 - 4 y + y^2 + 4");
        assert_eq!(square.value(&|variable| [3.0, 5.0][variable as usize]), 36.0);
        assert_eq!(text(&sum.minus(&sum)), "0");
        assert_eq!(sum.linear(), Some(vec![(0, 1.0), (1, 1.0)]));
        assert_eq!(square.linear(), None);
        assert_eq!((square.offset(), square.as_constant()), (4.0, None));
        assert_eq!(text(&two.mapped(|x| -0.5 * x)), "-1");
        let mut power = Some(x);
        for _ in 0..40 {
            power = power.and_then(|power| power.times(&power));
        }
        assert!(power.is_none());
    }
}
