//! Supply: isolate and repair faulty lines, then supply every line.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

struct Network {
    lines: usize,
    /// The two lines that each switch connects.
    switches: Vec<(usize, usize)>,
    closed: Vec<bool>,
    stuck: Vec<bool>,
    faulty: Vec<bool>,
    /// The line that each breaker supplies, and whether the breaker is closed.
    breakers: Vec<(usize, bool)>,
}

/// Draws a network with `size` lines. `None` if a stuck switch could prevent a repair or the supply of a line.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let network = Network::draw(size, dice)?;
    let draft = network.describe();
    Some(network.restore(draft))
}

impl Network {
    /// Draws a network. Returns `None` if a stuck switch could prevent a repair or the supply of a line.
    fn draw(lines: usize, dice: &mut Dice) -> Option<Self> {
        let switches = Graph::connected(lines, lines / 2, dice).edges();
        let mut faulty = vec![false; lines];
        let faults = dice.between(1, lines.div_ceil(4));
        dice.permutation(lines)[..faults]
            .iter()
            .for_each(|&line| faulty[line] = true);
        let closed: Vec<bool> = switches.iter().map(|_| dice.chance(1, 2)).collect();
        let mut network = Self {
            lines,
            stuck: vec![false; switches.len()],
            closed,
            switches,
            faulty,
            breakers: Vec::new(),
        };
        for _ in 0..dice.between(1, lines.div_ceil(4)) {
            let line = dice.below(lines);
            network
                .breakers
                .push((line, network.is_sound(line) && dice.chance(1, 2)));
        }
        for switch in 0..network.switches.len() {
            network.stuck[switch] = dice.chance(1, 6) && network.may_be_stuck(switch);
        }
        Some(network)
    }

    /// Returns whether no faulty line is connected to the line.
    fn is_sound(&self, line: usize) -> bool {
        self.joined(line, |switch| self.closed[switch])
            .into_iter()
            .all(|line| !self.faulty[line])
    }

    /// Returns whether a switch may be stuck: a closed one must not touch a faulty line, and an open one must not be
    /// necessary.
    fn may_be_stuck(&self, switch: usize) -> bool {
        let (a, b) = self.switches[switch];
        if self.closed[switch] {
            return !self.faulty[a] && !self.faulty[b];
        }
        let usable = |other: usize| other != switch && (self.closed[other] || !self.stuck[other]);
        self.joined(0, usable).len() == self.lines
    }

    /// Returns the lines that these switches connect to a line.
    fn joined(&self, line: usize, by: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut graph = Graph::new(self.lines);
        for (switch, &(a, b)) in self.switches.iter().enumerate() {
            if by(switch) {
                graph.join(a, b);
            }
        }
        graph.area(line)
    }

    fn describe(&self) -> Draft {
        let mut draft = Draft::default();
        let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count();
        draft.note(format!(
            "Lines: {}; switches: {} ({} stuck); breakers: {}; faults: {}.",
            self.lines,
            self.switches.len(),
            count(&self.stuck),
            self.breakers.len(),
            count(&self.faulty)
        ));
        draft.objects("line", numbered("line", self.lines));
        draft.objects("switch", numbered("switch", self.switches.len()));
        draft.objects("breaker", numbered("breaker", self.breakers.len()));
        for (breaker, &(line, closed)) in (1..).zip(&self.breakers) {
            let supplies = format!("supplies breaker-{breaker} line-{}", line + 1);
            draft.facts(
                [supplies]
                    .into_iter()
                    .chain(closed.then(|| format!("closed breaker-{breaker}"))),
            );
        }
        for (switch, &(a, b)) in self.switches.iter().enumerate() {
            let mut facts = vec![format!(
                "joins switch-{} line-{} line-{}",
                switch + 1,
                a + 1,
                b + 1
            )];
            facts.extend(self.closed[switch].then(|| format!("closed switch-{}", switch + 1)));
            facts.extend(self.stuck[switch].then(|| format!("stuck switch-{}", switch + 1)));
            draft.facts(facts);
        }
        let faults = (0..self.lines).filter(|&line| self.faulty[line]);
        draft.facts(faults.map(|line| format!("faulty line-{}", line + 1)));
        (1..=self.lines).for_each(|line| draft.goal(format!("fed line-{line}")));
        draft.goal("calm");
        draft
    }

    /// Opens all switches at faulty lines, repairs the lines, and closes every switch and a breaker.
    fn restore(mut self, mut draft: Draft) -> Draft {
        for switch in 0..self.switches.len() {
            let (a, b) = self.switches[switch];
            if self.closed[switch] && (self.faulty[a] || self.faulty[b]) {
                draft.step(format!("open-switch switch-{}", switch + 1));
                self.closed[switch] = false;
            }
        }
        for line in (0..self.lines).filter(|&line| self.faulty[line]) {
            draft.step(format!("repair line-{}", line + 1));
        }
        for switch in 0..self.switches.len() {
            if !self.closed[switch] && !self.stuck[switch] {
                draft.step(format!("close-switch switch-{}", switch + 1));
            }
        }
        if !self.breakers.iter().any(|(_, closed)| *closed) {
            draft.step("close-breaker breaker-1");
        }
        draft
    }
}
