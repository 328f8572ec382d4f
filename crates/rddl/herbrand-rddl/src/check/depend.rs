//! Checks which fluents a formula may read, and computes the order of evaluation.

use std::collections::BTreeSet;

use herbrand_text::Span;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::formula::Read;
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{CpfId, Domain, PvariableId, PvariableKind, Time};

/// The purpose of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The CPF of a fluent of this kind.
    Cpf(PvariableKind),
    Reward,
    Precondition,
    Constraint,
    Invariant,
    Termination,
}

impl Owner {
    /// Returns whether the formula may read a fluent of this kind. Every formula may read constants.
    fn may_read(self, kind: PvariableKind, time: Time) -> bool {
        use PvariableKind::{Action, Derived, Interm, NonFluent, Observ, State};
        let next = time == Time::Next;
        match (self, kind) {
            (_, NonFluent) => true,
            (Self::Reward, kind) => kind != Observ,
            (Self::Cpf(Derived), State) => !next,
            (Self::Cpf(Derived), Derived) => true,
            (Self::Cpf(Interm), State) => !next,
            (Self::Cpf(Interm), Action | Derived | Interm) => true,
            (Self::Cpf(State), kind) => kind != Observ,
            (Self::Cpf(Observ), State) => next,
            (Self::Cpf(Observ), Action | Derived | Interm) => true,
            (Self::Precondition | Self::Constraint, State) => !next,
            (Self::Precondition | Self::Constraint, Action | Derived) => true,
            (Self::Invariant | Self::Termination, State) => !next,
            (Self::Invariant | Self::Termination, Derived) => true,
            _ => false,
        }
    }

    /// Returns a description of the fluents that it may read.
    const fn readable(self) -> &'static str {
        match self {
            Self::Cpf(PvariableKind::Derived) => "a derived fluent may read state and derived fluents",
            Self::Cpf(PvariableKind::Interm) => {
                "an interm-fluent may read action, state, derived and interm-fluents"
            }
            Self::Cpf(PvariableKind::Observ) => {
                "an observation may read action, derived and interm-fluents, and the next state, with a prime"
            }
            Self::Cpf(_) => "a state fluent may read everything except observations",
            Self::Reward => "a reward may read everything except observations",
            Self::Precondition | Self::Constraint => {
                "it may read state, action and derived fluents before the step"
            }
            Self::Invariant | Self::Termination => "it may read state and derived fluents, without a prime",
        }
    }

    /// Returns whether the formula may draw random numbers.
    pub(super) const fn may_draw(self) -> bool {
        matches!(
            self,
            Self::Reward | Self::Cpf(PvariableKind::Interm | PvariableKind::State | PvariableKind::Observ)
        )
    }

    /// Returns its name with an article.
    pub(super) const fn describe(self) -> &'static str {
        match self {
            Self::Cpf(PvariableKind::Derived) => "a derived fluent",
            Self::Cpf(PvariableKind::Interm) => "an interm-fluent",
            Self::Cpf(PvariableKind::Observ) => "an observation",
            Self::Cpf(_) => "a state fluent",
            Self::Reward => "a reward",
            Self::Precondition => "a precondition",
            Self::Constraint => "a constraint",
            Self::Invariant => "an invariant",
            Self::Termination => "a termination condition",
        }
    }
}

/// The fluents that formulas read.
pub(super) struct Reads {
    /// The reads of each CPF that depend on other CPFs: `(head, read)`.
    of_cpfs: Vec<(PvariableId, Read)>,
    all: BTreeSet<PvariableId>,
}

impl Reads {
    pub(super) const fn new() -> Self {
        Self {
            of_cpfs: Vec::new(),
            all: BTreeSet::new(),
        }
    }

    /// Checks the reads of the CPF of `head`.
    pub(super) fn check_cpf(
        &mut self,
        head: PvariableId,
        owner: Owner,
        read: Vec<Read>,
        domain: &Domain,
        faults: &mut Diagnostics,
    ) {
        let computed = |read: &&Read| {
            let kind = domain.pvariable(read.pvariable).kind;
            read.time == Time::Next
                || matches!(
                    kind,
                    PvariableKind::Interm | PvariableKind::Derived | PvariableKind::Observ
                )
        };
        self.of_cpfs
            .extend(read.iter().filter(computed).map(|&read| (head, read)));
        self.check(owner, read, domain, faults);
    }

    /// Checks the reads of a formula.
    pub(super) fn check(&mut self, owner: Owner, read: Vec<Read>, domain: &Domain, faults: &mut Diagnostics) {
        for one in read {
            self.all.insert(one.pvariable);
            let pvariable = domain.pvariable(one.pvariable);
            if owner.may_read(pvariable.kind, one.time) {
                continue;
            }
            let what = match (pvariable.kind, one.time) {
                (PvariableKind::State, Time::Next) => "the next value of",
                (PvariableKind::State, Time::Now) => "the present value of",
                _ => "the",
            };
            let kind = pvariable.kind.as_str();
            faults.report(
                Code::ForbiddenDependency,
                format!(
                    "{} may not read {what} {kind} `{}`",
                    owner.describe(),
                    pvariable.name
                ),
                |d| {
                    let article = if kind.starts_with(['a', 'i', 'o']) {
                        "an"
                    } else {
                        "a"
                    };
                    d.primary(one.span, format!("{article} {kind}"))
                        .label(pvariable.place.span(), "declared here")
                        .note(owner.readable())
                },
            );
        }
    }

    /// Notes the reads of a formula that is not checked further.
    pub(super) fn note(&mut self, read: &[Read]) {
        self.all.extend(read.iter().map(|one| one.pvariable));
    }

    /// Returns whether a formula reads a pvariable.
    pub(super) fn contains(&self, id: PvariableId) -> bool {
        self.all.contains(&id)
    }

    /// Warns about constants and actions that no formula reads, except those with misspelt names.
    pub(super) fn unused(&self, domain: &Domain, misspelt: &[PvariableId], faults: &mut Diagnostics) {
        for (index, pvariable) in domain.pvariables.iter().enumerate() {
            let is_input = matches!(pvariable.kind, PvariableKind::NonFluent | PvariableKind::Action);
            let id = PvariableId::from_index(index);
            if is_input && !self.contains(id) && !misspelt.contains(&id) {
                let span = pvariable.place.span().unwrap_or(Span { start: 0, end: 0 });
                faults.report(
                    Code::UnusedPvariable,
                    format!(
                        "nothing reads the {} `{}`",
                        pvariable.kind.as_str(),
                        pvariable.name
                    ),
                    |d| d.primary(span, "never read"),
                );
            }
        }
    }

    /// Returns the CPFs by level: each level is above everything it reads. Reports a cycle.
    pub(super) fn levels(&self, domain: &Domain, faults: &mut Diagnostics) -> Vec<Vec<CpfId>> {
        let mut graph = DiGraph::<CpfId, Span>::new();
        let mut node_of = vec![None; domain.pvariables.len()];
        for (index, cpf) in domain.cpfs.iter().enumerate() {
            node_of[cpf.head.index()] = Some(graph.add_node(CpfId::from_index(index)));
        }
        for (head, read) in &self.of_cpfs {
            let ends = (node_of[head.index()], node_of[read.pvariable.index()]);
            if let (Some(reader), Some(read_from)) = ends {
                graph.update_edge(reader, read_from, read.span);
            }
        }
        let mut level_of = vec![0usize; graph.node_count()];
        let mut levels: Vec<Vec<CpfId>> = Vec::new();
        // `tarjan_scc` returns components in reverse topological order: a CPF comes after everything it reads.
        for component in tarjan_scc(&graph) {
            let first = component[0];
            if component.len() > 1 || graph.contains_edge(first, first) {
                report_cycle(&graph, &component, domain, faults);
            }
            for &node in &component {
                let level = graph
                    .neighbors(node)
                    .filter(|read| !component.contains(read))
                    .map(|read| level_of[read.index()] + 1)
                    .max()
                    .unwrap_or(0);
                level_of[node.index()] = level;
                if levels.len() <= level {
                    levels.resize(level + 1, Vec::new());
                }
                levels[level].push(graph[node]);
            }
        }
        for level in &mut levels {
            level.sort_by(|&a, &b| name_of(domain, a).cmp(name_of(domain, b)));
        }
        levels
    }
}

fn name_of(domain: &Domain, cpf: CpfId) -> &str {
    domain.pvariable(domain.cpf(cpf).head).name.as_str()
}

/// Returns the name as written in formulas: with a prime for a state fluent.
fn written(domain: &Domain, cpf: CpfId) -> String {
    let pvariable = domain.pvariable(domain.cpf(cpf).head);
    match pvariable.kind {
        PvariableKind::State => format!("`{}'`", pvariable.name),
        _ => format!("`{}`", pvariable.name),
    }
}

/// Reports one cycle of a strongly connected component. There is one through each of its nodes.
fn report_cycle(
    graph: &DiGraph<CpfId, Span>,
    component: &[NodeIndex],
    domain: &Domain,
    faults: &mut Diagnostics,
) {
    let Some(&start) = component.iter().min() else {
        return;
    };
    let cycle = shortest_cycle(graph, component, start);
    let mut path: Vec<String> = cycle.iter().map(|&node| written(domain, graph[node])).collect();
    path.push(written(domain, graph[start]));
    let spans: Vec<Option<Span>> = (0..cycle.len())
        .map(|i| {
            let edge = graph.find_edge(cycle[i], cycle[(i + 1) % cycle.len()])?;
            Some(graph[edge])
        })
        .collect();
    faults.report(
        Code::DependencyCycle,
        format!("fluents depend on each other: {}", path.join(" → ")),
        |d| {
            let first = spans
                .first()
                .copied()
                .flatten()
                .unwrap_or(Span { start: 0, end: 0 });
            let mut d = d.primary(first, format!("{} reads {}", path[0], path[1]));
            for (i, &span) in spans.iter().enumerate().skip(1).take(8) {
                d = d.label(span, format!("{} reads {}", path[i], path[i + 1]));
            }
            d.help(cycle_help(&cycle, graph, domain))
        },
    );
}

/// Returns how to break a cycle.
fn cycle_help(cycle: &[NodeIndex], graph: &DiGraph<CpfId, Span>, domain: &Domain) -> String {
    let pvariable = |&node: &NodeIndex| domain.pvariable(domain.cpf(graph[node]).head);
    let kind = pvariable(&cycle[0]).kind.as_str();
    let primed = cycle
        .iter()
        .map(pvariable)
        .find(|one| one.kind == PvariableKind::State);
    match (primed, cycle) {
        (Some(state), _) => {
            format!("read `{0}`, the value before the step, in place of `{0}'`", state.name)
        }
        (None, [_]) => format!(
            "the fluent's value is computed again in each step, from other fluents: leave this read out, or declare a \
             state-fluent, whose value before the step can be read, in place of the {kind}"
        ),
        (None, _) => "their values are computed again in each step, one from the other: leave one of these reads out, or \
                      declare one of them as a state-fluent, whose value before the step can be read"
            .to_owned(),
    }
}

/// Returns the nodes of a shortest cycle through `start`, found by breadth-first search within its component.
fn shortest_cycle(graph: &DiGraph<CpfId, Span>, component: &[NodeIndex], start: NodeIndex) -> Vec<NodeIndex> {
    let inside: BTreeSet<NodeIndex> = component.iter().copied().collect();
    let mut from = vec![None; graph.node_count()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for next in graph.neighbors(node).filter(|next| inside.contains(next)) {
            if next == start {
                let mut cycle = vec![node];
                while let Some(before) = from[cycle[cycle.len() - 1].index()] {
                    cycle.push(before);
                }
                cycle.reverse();
                return cycle;
            }
            if from[next.index()].is_none() {
                from[next.index()] = Some(node);
                queue.push_back(next);
            }
        }
    }
    vec![start]
}
