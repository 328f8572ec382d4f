//! Casino: coupons are scattered over a town, and each attempt at a wanted prize costs a chip.

use crate::vocabulary::{Dice, Draft, Graph, Traveller, numbered};

/// The maximal number of wanted prizes. With more, winning all of them at the first attempt would be too unlikely.
const MOST_WANTED: usize = 6;

const KINDS: [&str; 3] = ["trinket", "watch", "car"];
const GAMES: [&str; 3] = ["raffle", "roulette", "jackpot"];

struct Town {
    /// The places; casinos come first.
    places: Vec<String>,
    casinos: usize,
    streets: Graph,
    prizes: Vec<Prize>,
    /// The wanted prizes, as indices into `prizes`.
    wanted: Vec<usize>,
    /// The place of each coupon.
    coupons: Vec<usize>,
    start: usize,
}

struct Prize {
    name: String,
    kind: usize,
    casino: usize,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let town = Town::draw(size, dice);
    let mut draft = Draft::default();
    town.describe(&mut draft);
    town.win(&mut draft);
    Some(draft)
}

impl Town {
    fn draw(size: usize, dice: &mut Dice) -> Self {
        let casinos = size.div_ceil(6);
        let mut counts = [0; 3];
        let mut prize = |dice: &mut Dice| {
            let kind = dice.weighted(&[4, 3, 2]);
            counts[kind] += 1;
            let name = format!("{}-{}", KINDS[kind], counts[kind]);
            Prize {
                name,
                kind,
                casino: dice.below(casinos),
            }
        };
        let prizes: Vec<Prize> = (0..1 + size / 3).map(|_| prize(dice)).collect();
        let most = prizes.len().min(MOST_WANTED);
        let mut wanted = dice.permutation(prizes.len());
        wanted.truncate(dice.between(most.div_ceil(2), most));
        let coupons = 2 * wanted.len() + dice.between(0, size / 2);
        Self {
            places: [numbered("casino", casinos), numbered("corner", size - casinos)].concat(),
            casinos,
            streets: Graph::connected(size, size / 2, dice),
            prizes,
            wanted,
            coupons: (0..coupons).map(|_| dice.below(size)).collect(),
            start: dice.below(size),
        }
    }

    fn describe(&self, draft: &mut Draft) {
        let (place, coupons) = (|place: usize| &self.places[place], self.coupons.len());
        draft.note(format!(
            "Places: {}; casinos: {}; coupons: {coupons}; prizes: {}, of which {} wanted.",
            self.places.len(),
            self.casinos,
            self.prizes.len(),
            self.wanted.len()
        ));
        draft.objects("place", &self.places);
        draft.objects("coupon", numbered("coupon", coupons));
        for (kind, word) in KINDS.into_iter().enumerate() {
            let mine = self.prizes.iter().filter(|prize| prize.kind == kind);
            draft.objects(word, mine.map(|prize| &prize.name));
        }
        draft.objects("amount", (0..=coupons).map(|amount| format!("n{amount}")));
        draft.fact(format!("gambler-at {}", place(self.start)));
        draft.fact("chips n0");
        draft.facts((0..coupons).map(|amount| format!("next n{amount} n{}", amount + 1)));
        draft.facts(
            self.places[..self.casinos]
                .iter()
                .map(|casino| format!("casino {casino}")),
        );
        let offer = |prize: &Prize| format!("offers {} {}", place(prize.casino), prize.name);
        draft.facts(self.prizes.iter().map(offer));
        let lies = |(coupon, &at): (usize, &usize)| format!("coupon-at coupon-{coupon} {}", place(at));
        draft.facts((1..).zip(&self.coupons).map(lies));
        draft.rows(self.streets.facts("street", &self.places));
        self.wanted
            .iter()
            .for_each(|&prize| draft.goal(format!("won {}", self.prizes[prize].name)));
    }

    /// Takes a coupon for each wanted prize, changes the coupons in the first casino, and wins each prize at the first
    /// attempt.
    fn win(&self, draft: &mut Draft) {
        let mut gambler = Traveller::new("walk", &self.streets, &self.places, self.start);
        let chips = self.wanted.len();
        for (coupon, &place) in (1..=chips).zip(&self.coupons) {
            gambler.go(place, draft);
            draft.step(format!("take-coupon coupon-{coupon} {}", self.places[place]));
        }
        gambler.go(0, draft);
        for coupon in 1..=chips {
            let (casino, before) = (&self.places[0], coupon - 1);
            draft.step(format!(
                "change-coupon coupon-{coupon} {casino} n{before} n{coupon}"
            ));
        }
        for (spent, &prize) in self.wanted.iter().enumerate() {
            let Prize { name, kind, casino } = &self.prizes[prize];
            gambler.go(*casino, draft);
            let (game, before, after) = (GAMES[*kind], chips - spent, chips - spent - 1);
            draft.step(format!(
                "play-{game} {name} {} n{before} n{after}",
                self.places[*casino]
            ));
        }
    }
}
