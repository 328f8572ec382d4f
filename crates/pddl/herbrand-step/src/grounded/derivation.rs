//! Maintaining derived atoms from step to step.

use crate::grounded::axioms::Axioms;
use crate::grounded::lists::Lists;
use crate::grounded::truth::Truth;

/// Incremental maintenance of the derived atoms of the current state.
///
/// Every derived atom that holds stores one rule that derived it, its *source*. It is retracted only when the body of its
/// source fails, and then derived again if another rule applies. Sources form no cycle, so atoms that only support each
/// other are retracted together. Components are visited in dependency order, each at most once, and only if something in
/// them was touched. This is the delete-and-rederive method (Gupta, Mumick & Subrahmanian, "Maintaining views
/// incrementally", 1993), with sources to keep deletions few.
#[derive(Clone, Debug)]
pub(crate) struct Derivation {
    /// For each rule, the number of body literals that do not hold.
    lacking: Vec<u32>,
    /// For each atom, the rule that derived it; meaningless for atoms that do not hold.
    source: Vec<u32>,
    /// For each component, the head of a linked list of the atoms to be re-examined.
    first: Vec<u32>,
    next: Vec<u32>,
    queued: Vec<bool>,
    /// The components with atoms to be re-examined, as bits.
    dirty: Vec<u64>,
    /// The atoms retracted in the component being visited.
    fallen: Vec<u32>,
    /// The touched atoms of that component that did not hold before the visit.
    candidates: Vec<u32>,
    /// The atoms derived in that component, whether or not they were retracted before.
    raised: Vec<u32>,
}

/// Marks the absence of a rule or atom.
const NONE: u32 = u32::MAX;

impl Derivation {
    /// Derives all atoms of a state. In `truth` none of them may hold yet.
    pub(crate) fn new(axioms: &Axioms, truth: &mut Truth) -> Self {
        let derived = axioms.component.len();
        let lacking = |body: &[u32]| body.iter().map(|&literal| u32::from(!truth.holds(literal))).sum();
        let mut this = Self {
            lacking: (0..axioms.heads.len())
                .map(|rule| lacking(axioms.bodies.get(rule)))
                .collect(),
            source: vec![NONE; derived],
            first: vec![NONE; derived],
            next: vec![NONE; derived],
            queued: vec![false; derived],
            dirty: vec![0; derived.div_ceil(64)],
            fallen: Vec::with_capacity(derived),
            candidates: Vec::with_capacity(derived),
            raised: Vec::with_capacity(derived),
        };
        for (rule, &head) in axioms.heads.iter().enumerate() {
            if this.lacking[rule] == 0 {
                this.enqueue(axioms, head);
            }
        }
        this.settle(axioms, truth, &mut Vec::new());
        this
    }

    /// Updates the derived atoms after a change of state. `gained` contains the literals that became true; the literals of
    /// derived atoms that became true are appended.
    pub(crate) fn update(&mut self, axioms: &Axioms, truth: &mut Truth, gained: &mut Vec<u32>) {
        for &literal in gained.iter() {
            self.pass_on(axioms, truth, literal);
        }
        self.settle(axioms, truth, gained);
    }

    /// Visits all touched components, including the ones touched during the visits.
    fn settle(&mut self, axioms: &Axioms, truth: &mut Truth, gained: &mut Vec<u32>) {
        for word in 0..self.dirty.len() {
            while self.dirty[word] != 0 {
                let component = word * 64 + self.dirty[word].trailing_zeros() as usize;
                self.dirty[word] &= self.dirty[word] - 1;
                let start = gained.len();
                if axioms.recursive[component] {
                    self.visit_recursive(axioms, component, truth, gained);
                } else {
                    self.visit_single(axioms, component, truth, gained);
                }
                for &literal in &gained[start..] {
                    self.pass_on(axioms, truth, literal);
                }
            }
        }
    }

    /// Updates the rules of later components after a literal became true.
    #[inline]
    fn pass_on(&mut self, axioms: &Axioms, truth: &Truth, literal: u32) {
        for &rule in axioms.outer.get(literal as usize) {
            self.lacking[rule as usize] -= 1;
            let head = axioms.heads[rule as usize];
            if self.lacking[rule as usize] == 0 && !truth.holds(positive(axioms, head)) {
                self.enqueue(axioms, head);
            }
        }
        for &rule in axioms.outer.get(literal as usize ^ 1) {
            self.lacking[rule as usize] += 1;
            let head = axioms.heads[rule as usize];
            if self.source[head as usize] == rule && truth.holds(positive(axioms, head)) {
                self.enqueue(axioms, head);
            }
        }
    }

    fn enqueue(&mut self, axioms: &Axioms, atom: u32) {
        if !std::mem::replace(&mut self.queued[atom as usize], true) {
            let component = axioms.component[atom as usize] as usize;
            self.next[atom as usize] = std::mem::replace(&mut self.first[component], atom);
            self.dirty[component / 64] |= 1 << (component % 64);
        }
    }

    fn dequeue(&mut self, component: usize) -> Option<u32> {
        let atom = Some(self.first[component]).filter(|&atom| atom != NONE)?;
        self.first[component] = self.next[atom as usize];
        self.queued[atom as usize] = false;
        Some(atom)
    }

    /// Returns whether an atom holds and the body of its source rule still holds.
    fn is_sound(&self, axioms: &Axioms, truth: &Truth, atom: u32) -> bool {
        truth.holds(positive(axioms, atom)) && self.lacking[self.source[atom as usize] as usize] == 0
    }

    fn find_source(&self, rules: &Lists<u32>, atom: u32) -> Option<u32> {
        rules
            .get(atom as usize)
            .iter()
            .copied()
            .find(|&rule| self.lacking[rule as usize] == 0)
    }

    /// Visits the only atom of a non-recursive component.
    fn visit_single(&mut self, axioms: &Axioms, component: usize, truth: &mut Truth, gained: &mut Vec<u32>) {
        while let Some(atom) = self.dequeue(component) {
            if self.is_sound(axioms, truth, atom) {
                continue;
            }
            let source = self.find_source(&axioms.rules, atom);
            self.source[atom as usize] = source.unwrap_or(NONE);
            let literal = positive(axioms, atom) + u32::from(source.is_none());
            if !truth.holds(literal) {
                truth.flip_to(literal);
                gained.push(literal);
            }
        }
    }

    fn visit_recursive(
        &mut self,
        axioms: &Axioms,
        component: usize,
        truth: &mut Truth,
        gained: &mut Vec<u32>,
    ) {
        self.fallen.clear();
        self.raised.clear();
        self.candidates.clear();
        while let Some(atom) = self.dequeue(component) {
            if !truth.holds(positive(axioms, atom)) {
                self.candidates.push(atom);
            } else if !self.is_sound(axioms, truth, atom) {
                self.fall(axioms, truth, atom);
            }
        }
        self.spread_falls(axioms, truth);
        // Retracted atoms may have another derivation, and candidates may have become derivable.
        for index in 0..self.fallen.len() + self.candidates.len() {
            let candidate = index.checked_sub(self.fallen.len());
            let atom = candidate.map_or_else(|| self.fallen[index], |index| self.candidates[index]);
            if let Some(rule) = self.find_source(&axioms.rules, atom) {
                self.raise(axioms, truth, atom, rule);
            }
        }
        self.spread_raises(axioms, truth);
        for &atom in &self.raised {
            if !self.queued[atom as usize] {
                gained.push(positive(axioms, atom));
            }
        }
        for &atom in &self.fallen {
            self.queued[atom as usize] = false;
            if !truth.holds(positive(axioms, atom)) {
                gained.push(positive(axioms, atom) + 1);
            }
        }
    }

    /// Retracts an atom. It stays marked as queued until the end of the visit, to tell it from an atom that is newly
    /// derived.
    fn fall(&mut self, axioms: &Axioms, truth: &mut Truth, atom: u32) {
        truth.flip_to(positive(axioms, atom) + 1);
        self.queued[atom as usize] = true;
        self.fallen.push(atom);
    }

    /// Retracts every atom whose source depends on a retracted atom, transitively.
    fn spread_falls(&mut self, axioms: &Axioms, truth: &mut Truth) {
        let mut visited = 0;
        while let Some(&atom) = self.fallen.get(visited) {
            for &rule in axioms.inner.get(atom as usize) {
                self.lacking[rule as usize] += 1;
                let head = axioms.heads[rule as usize];
                if self.source[head as usize] == rule && truth.holds(positive(axioms, head)) {
                    self.fall(axioms, truth, head);
                }
            }
            visited += 1;
        }
    }

    fn raise(&mut self, axioms: &Axioms, truth: &mut Truth, atom: u32, rule: u32) {
        truth.flip_to(positive(axioms, atom));
        self.source[atom as usize] = rule;
        self.raised.push(atom);
    }

    /// Derives every atom that follows from the derived atoms within the component.
    fn spread_raises(&mut self, axioms: &Axioms, truth: &mut Truth) {
        let mut visited = 0;
        while let Some(&atom) = self.raised.get(visited) {
            for &rule in axioms.inner.get(atom as usize) {
                self.lacking[rule as usize] -= 1;
                let head = axioms.heads[rule as usize];
                if self.lacking[rule as usize] == 0 && !truth.holds(positive(axioms, head)) {
                    self.raise(axioms, truth, head, rule);
                }
            }
            visited += 1;
        }
    }
}

/// The positive literal of a derived atom.
#[inline]
fn positive(axioms: &Axioms, atom: u32) -> u32 {
    (axioms.fluents + atom) * 2
}
