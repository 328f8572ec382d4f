//! Sampling of joint actions.

use herbrand_core::{ActionField, Choice, FieldDomain, FieldValue, Random, uniform_below, uniform_unit};
use herbrand_distributions::{Family, normal_quantile};

use super::simulator::RddlSimulator;
use super::valid::{Draw, ValidActions};

/// The maximum number of joint actions drawn independently before a Markov chain is used.
const ATTEMPTS: usize = 64;

/// The number of moves of the Markov chain per field.
const MOVES: usize = 8;

/// The maximum number of instructions of all checks of a Markov chain.
const MOST_CHECKED: usize = 1 << 26;

/// The maximum number of times that the interval of a move is shrunk.
const SHRINKINGS: usize = 32;

impl RddlSimulator {
    /// Samples a joint action uniformly from those that masks and samples contain (see
    /// [`Preconditions`](super::Preconditions)). A real without bounds is normal with variance 1. A number with a
    /// single bound has an exponential distance with mean 1 from it. If not all fields may be set, all values of a field
    /// with infinitely many values, other than the default, together count as one value.
    ///
    /// Preconditions that are in no diagram are checked afterwards. If 64 draws in a row violate one, a Markov chain changes
    /// the unchecked fields of the last draw without some of its choices, or of the joint action without choices. Its moves
    /// keep the uniform distribution, but a few moves from one start need not come close to it. Very large problems have
    /// fewer moves.
    /// The result is the joint action without choices if neither is valid, or no joint action is, or no episode reaches the
    /// state.
    ///
    /// Returns whether a step accepts the result.
    pub(super) fn draw_joint(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        let Some(valid) = self.valid() else {
            return self.allows(into);
        };
        for _ in 0..ATTEMPTS {
            match self.draw_once(&valid, random, into) {
                Draw::Valid => return true,
                Draw::Impossible => return self.allows(into),
                Draw::Unchecked if self.permits(into) => return true,
                Draw::Unchecked => {}
            }
        }
        // The last draw has valid values for all fields in diagrams: only the others change.
        if !self.leave_out(&valid, into) {
            into.clear();
            if !self.permits(into) {
                return self.allows(into);
            }
        }
        self.walk(&valid, random, into);
        true
    }

    fn draw_once(&self, valid: &ValidActions, random: &mut Random, into: &mut Vec<Choice>) -> Draw {
        let mut asides = self.asides();
        match asides.valid.ask(valid, &self.compiled, self.values()) {
            Some(true) => asides.valid.draw(valid, &self.compiled, random, into),
            Some(false) | None => {
                into.clear();
                Draw::Impossible
            }
        }
    }

    /// Removes choices of unchecked fields from a joint action until it is valid, one by one. Returns whether it became so.
    fn leave_out(&self, valid: &ValidActions, joint: &mut Vec<Choice>) -> bool {
        let is_unchecked = |choice: &Choice| valid.unchecked().binary_search(&choice.field).is_ok();
        while !self.permits(joint) {
            match joint.iter().rposition(is_unchecked) {
                Some(last) => joint.remove(last),
                None => return false,
            };
        }
        true
    }

    /// Moves from one valid joint action to others, changing one unchecked field at a time.
    fn walk(&self, valid: &ValidActions, random: &mut Random, joint: &mut Vec<Choice>) {
        let unchecked = valid.unchecked();
        let most = self.compiled.actions().most();
        let affordable = MOST_CHECKED / self.compiled.permission.len().max(1);
        for _ in 0..(MOVES * unchecked.len()).min(affordable) {
            let number = unchecked[uniform_below(random, unchecked.len() as u32) as usize];
            let field = &self.compiled.actions().fields()[number as usize];
            let place = joint.partition_point(|choice| choice.field < number);
            let before = joint.get(place).filter(|choice| choice.field == number).copied();
            if before.is_none() && joint.len() >= most {
                continue;
            }
            let Some(default) = field.default else { continue };
            let now = before.map_or(default, |choice| choice.value);
            if before.is_none() {
                joint.insert(
                    place,
                    Choice {
                        field: number,
                        value: now,
                    },
                );
            }
            self.change(field, now, random, joint, place);
            if joint[place].value == default {
                joint.remove(place);
            }
        }
    }

    /// Changes one value of a valid joint action to another, if that is valid. The interval of a number shrinks towards the
    /// present value until a valid one is drawn, which keeps the distribution (Neal, *Slice sampling*, 2003).
    fn change(
        &self,
        field: &ActionField,
        now: FieldValue,
        random: &mut Random,
        joint: &mut [Choice],
        place: usize,
    ) {
        let attempt = |value: FieldValue, joint: &mut [Choice]| {
            joint[place].value = value;
            self.permits(joint)
        };
        let valid = match (field.domain, now) {
            (FieldDomain::Discrete { count }, _) => {
                attempt(FieldValue::Discrete(uniform_below(random, count.max(1))), joint)
            }
            (FieldDomain::Int { low, high }, FieldValue::Int(now)) if low > i64::MIN && high < i64::MAX => {
                let (mut low, mut high) = (low, high);
                (0..SHRINKINGS).any(|_| {
                    let drawn = draw_int(low, high, random);
                    (low, high) = if drawn < now { (drawn, high) } else { (low, drawn) };
                    attempt(FieldValue::Int(drawn), joint)
                })
            }
            (FieldDomain::Real { low, high }, FieldValue::Real(now))
                if low.is_finite() && high.is_finite() =>
            {
                let (mut low, mut high) = (low, high);
                (0..SHRINKINGS).any(|_| {
                    let drawn = draw_real(low, high, random);
                    (low, high) = if drawn < now { (drawn, high) } else { (low, drawn) };
                    attempt(FieldValue::Real(drawn), joint)
                })
            }
            // Without bounds, the distribution is not uniform: a draw from it is accepted if it is valid.
            _ => attempt(draw_value(field, random), joint),
        };
        if !valid {
            joint[place].value = now;
        }
    }
}

/// Draws a value of a field uniformly, or from the distribution of numbers without bounds.
pub(super) fn draw_value(field: &ActionField, random: &mut Random) -> FieldValue {
    match field.domain {
        FieldDomain::Discrete { count } => FieldValue::Discrete(uniform_below(random, count.max(1))),
        FieldDomain::Int { low, high } => FieldValue::Int(draw_int(low, high, random)),
        FieldDomain::Real { low, high } => FieldValue::Real(draw_real(low, high, random)),
    }
}

fn draw_int(low: i64, high: i64, random: &mut Random) -> i64 {
    let (lower, upper) = (low == i64::MIN, high == i64::MAX);
    let as_bound = |bound: i64, open: bool, infinity: f64| if open { infinity } else { bound as f64 };
    let (below, above) = (
        as_bound(low, lower, f64::NEG_INFINITY),
        as_bound(high, upper, f64::INFINITY),
    );
    if !lower && !upper {
        // The smallest and the largest integer are as likely as the others.
        return (draw_real(below - 0.5, above + 0.5, random).round() as i64).clamp(low, high);
    }
    (draw_real(below, above, random).round() as i64).clamp(low, high)
}

fn draw_real(low: f64, high: f64, random: &mut Random) -> f64 {
    let u = uniform_unit(random).clamp(1e-16, 1.0 - 1e-16);
    let distance = || Family::Exponential.quantile(u, 1.0, 0.0).unwrap_or(0.0);
    match (low.is_finite(), high.is_finite()) {
        (true, true) => low + u * (high - low),
        (true, false) => low + distance(),
        (false, true) => high - distance(),
        (false, false) => normal_quantile(u),
    }
}
