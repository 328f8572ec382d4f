//! Domains with chance, made from domains without.

use herbrand_pddl::{Domain, Effect, Probability, Requirement};
use herbrand_step::Random;

/// The probabilities with which actions work, as fractions.
const SHARES: [(u64, u64); 6] = [(1, 2), (2, 3), (3, 4), (4, 5), (9, 10), (3, 5)];

/// Gives each action of a domain a probability with which it works. Otherwise it changes nothing.
pub(crate) fn make_unreliable(domain: &mut Domain, mut random: Random) {
    for schema in &mut domain.schemas {
        let share = random
            .choose(&SHARES)
            .and_then(|&(part, whole)| Probability::new(part, whole));
        let works = std::mem::replace(&mut schema.effect, Effect::NOTHING);
        schema.effect = match share {
            Some(share) => Effect::Probabilistic(vec![(share, works)]),
            None => works,
        };
    }
    domain.requirements.insert(Requirement::ProbabilisticEffects);
}
