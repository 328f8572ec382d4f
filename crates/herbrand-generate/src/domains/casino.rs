//! Casino: coupons lie about town; each wanted prize costs a chip for each attempt.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

/// More prizes than this are not wanted: winning all of them at the first attempt would become too unlikely.
const MOST_WANTED: usize = 6;

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let casinos = size.div_ceil(6);
    let mut places = numbered("casino", casinos);
    places.extend(numbered("corner", size - casinos));
    let town = Graph::connected(size, size / 2, dice);
    let kinds: Vec<usize> = (0..1 + size / 3).map(|_| dice.weighted(&[4, 3, 2])).collect();
    let wanted = dice.between(1, kinds.len().min(MOST_WANTED));
    let coupons = 2 * wanted + dice.between(0, size / 2);
    let lies: Vec<usize> = (0..coupons).map(|_| dice.below(size)).collect();
    let offered: Vec<usize> = kinds.iter().map(|_| dice.below(casinos)).collect();
    let start = dice.below(size);

    let mut draft = Draft::default();
    draft.note(format!(
        "Places: {size}; casinos: {casinos}; coupons: {coupons}; prizes: {}, of which {wanted} wanted.",
        kinds.len()
    ));
    draft.objects("place", &places);
    draft.objects("coupon", numbered("coupon", coupons));
    let prizes = prizes(&mut draft, &kinds);
    draft.objects("amount", (0..=coupons).map(|amount| format!("n{amount}")));
    draft.fact(format!("gambler-at {}", places[start]));
    draft.fact("chips n0");
    draft.facts((0..coupons).map(|amount| format!("next n{amount} n{}", amount + 1)));
    draft.facts((0..casinos).map(|casino| format!("casino {}", places[casino])));
    draft.facts(
        prizes
            .iter()
            .zip(&offered)
            .map(|(prize, &place)| format!("offers {} {prize}", places[place])),
    );
    draft.facts(
        (1..)
            .zip(&lies)
            .map(|(coupon, &place)| format!("coupon-at coupon-{coupon} {}", places[place])),
    );
    town.facts("street", &places)
        .into_iter()
        .for_each(|street| draft.facts(street));

    let mut at = start;
    let mut walk = |draft: &mut Draft, to: usize| {
        for (a, b) in town.route(at, to) {
            draft.step(format!("walk {} {}", places[a], places[b]));
        }
        at = to;
    };
    let mut targets = dice.permutation(kinds.len());
    targets.truncate(wanted);
    for (coupon, &place) in (1..=wanted).zip(&lies) {
        walk(&mut draft, place);
        draft.step(format!("take-coupon coupon-{coupon} {}", places[place]));
    }
    walk(&mut draft, 0);
    for coupon in 1..=wanted {
        draft.step(format!(
            "change-coupon coupon-{coupon} {} n{} n{coupon}",
            places[0],
            coupon - 1
        ));
    }
    for (spent, &target) in targets.iter().enumerate() {
        let (place, game) = (offered[target], ["raffle", "roulette", "jackpot"][kinds[target]]);
        walk(&mut draft, place);
        let (before, after) = (wanted - spent, wanted - spent - 1);
        draft.step(format!(
            "play-{game} {} {} n{before} n{after}",
            prizes[target], places[place]
        ));
        draft.goal(format!("won {}", prizes[target]));
    }
    Some(draft)
}

/// Declares the prizes; their names.
fn prizes(draft: &mut Draft, kinds: &[usize]) -> Vec<String> {
    let mut names = vec![String::new(); kinds.len()];
    for (kind, word) in ["trinket", "watch", "car"].into_iter().enumerate() {
        let mine: Vec<usize> = (0..kinds.len()).filter(|&prize| kinds[prize] == kind).collect();
        draft.objects(word, numbered(word, mine.len()));
        mine.iter()
            .zip(1..)
            .for_each(|(&prize, number)| names[prize] = format!("{word}-{number}"));
    }
    names
}
