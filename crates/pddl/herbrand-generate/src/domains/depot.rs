//! Depot: rebuild stacks of crates on pallets into other stacks, partly in other depots.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

/// The crates on each pallet, from bottom to top.
type Stacks = Vec<Vec<usize>>;

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let depots = 2 + size / 4;
    let pallets = depots + size.div_ceil(3);
    let home = |pallet| {
        if pallet < depots {
            pallet
        } else {
            dice.below(depots)
        }
    };
    let homes: Vec<usize> = (0..pallets).map(home).collect();
    let roads = Graph::connected(depots, depots, dice);
    let parked: Vec<usize> = (0..1 + size / 8).map(|_| dice.below(depots)).collect();
    let (from, to) = (stacks(size, pallets, dice), stacks(size, pallets, dice));
    let mut draft = Draft::default();
    describe(size, &roads, &parked, pallets, &mut draft);
    for (pallet, stack) in from.iter().enumerate() {
        draft.facts(stack_facts(pallet, homes[pallet], stack));
    }
    for (pallet, stack) in to.iter().enumerate() {
        for (height, number) in stack.iter().enumerate() {
            draft.goal(format!(
                "on crate-{} {}",
                number + 1,
                below(pallet, stack, height)
            ));
        }
    }
    let at = parked[0];
    let mut driver = Driver {
        draft,
        roads,
        homes,
        at,
    };
    driver.collect(&from, &to);
    driver.deliver(&from, &to);
    (from != to).then_some(driver.draft)
}

/// Writes everything except the stacks.
fn describe(crates: usize, roads: &Graph, parked: &[usize], pallets: usize, draft: &mut Draft) {
    let (depots, trucks) = (roads.len(), parked.len());
    draft.note(format!(
        "Depots: {depots}; trucks: {trucks}; pallets: {pallets}; crates: {crates}."
    ));
    draft.objects("place", numbered("depot", depots));
    draft.objects("truck", numbered("truck", trucks));
    draft.objects("hoist", numbered("hoist", depots));
    draft.objects("pallet", numbered("pallet", pallets));
    draft.objects("crate", numbered("crate", crates));
    draft.rows(roads.facts("road", &numbered("depot", depots)));
    for depot in 1..=depots {
        draft.facts([
            format!("at hoist-{depot} depot-{depot}"),
            format!("available hoist-{depot}"),
        ]);
    }
    draft.facts(
        (1..)
            .zip(parked)
            .map(|(truck, depot)| format!("at truck-{truck} depot-{}", depot + 1)),
    );
}

fn stacks(crates: usize, pallets: usize, dice: &mut Dice) -> Stacks {
    let mut stacks = vec![Vec::new(); pallets];
    for number in dice.permutation(crates) {
        stacks[dice.below(pallets)].push(number);
    }
    stacks
}

/// Returns the support of the crate at this height of the stack.
fn below(pallet: usize, stack: &[usize], height: usize) -> String {
    match height.checked_sub(1) {
        None => format!("pallet-{}", pallet + 1),
        Some(under) => format!("crate-{}", stack[under] + 1),
    }
}

fn stack_facts(pallet: usize, depot: usize, stack: &[usize]) -> Vec<String> {
    let mut facts = vec![format!("at pallet-{} depot-{}", pallet + 1, depot + 1)];
    for (height, number) in stack.iter().enumerate() {
        facts.push(format!("at crate-{} depot-{}", number + 1, depot + 1));
        facts.push(format!(
            "on crate-{} {}",
            number + 1,
            below(pallet, stack, height)
        ));
    }
    facts.push(format!("clear {}", below(pallet, stack, stack.len())));
    facts
}

/// Returns the number of crates at the bottom of a stack that stay in place.
fn kept(from: &[usize], to: &[usize]) -> usize {
    from.iter().zip(to).take_while(|(a, b)| a == b).count()
}

/// The driver of the first truck, which transports all crates that move.
struct Driver {
    draft: Draft,
    roads: Graph,
    homes: Vec<usize>,
    at: usize,
}

impl Driver {
    fn drive(&mut self, to: usize) {
        for (a, b) in self.roads.route(self.at, to) {
            self.draft
                .step(format!("drive truck-1 depot-{} depot-{}", a + 1, b + 1));
        }
        self.at = to;
    }

    fn collect(&mut self, from: &Stacks, to: &Stacks) {
        for (pallet, stack) in from.iter().enumerate() {
            for height in (kept(stack, &to[pallet])..stack.len()).rev() {
                self.drive(self.homes[pallet]);
                let (depot, number) = (self.at + 1, stack[height] + 1);
                let under = below(pallet, stack, height);
                self.draft
                    .step(format!("lift hoist-{depot} crate-{number} {under} depot-{depot}"));
                self.draft
                    .step(format!("load hoist-{depot} crate-{number} truck-1 depot-{depot}"));
            }
        }
    }

    fn deliver(&mut self, from: &Stacks, to: &Stacks) {
        for (pallet, stack) in to.iter().enumerate() {
            for height in kept(&from[pallet], stack)..stack.len() {
                self.drive(self.homes[pallet]);
                let (depot, number) = (self.at + 1, stack[height] + 1);
                let under = below(pallet, stack, height);
                self.draft.step(format!(
                    "unload hoist-{depot} crate-{number} truck-1 depot-{depot}"
                ));
                self.draft
                    .step(format!("drop hoist-{depot} crate-{number} {under} depot-{depot}"));
            }
        }
    }
}
