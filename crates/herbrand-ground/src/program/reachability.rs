//! The delete-relaxed program: its model holds every atom that some sequence of actions could make true.

use herbrand_datalog::{Facts, Program, RelationId};
use herbrand_pddl::{Atom, Domain, InitialOutcome, PredicateId, Problem};

use super::rule::{Exactness, RuleWriter, axiom_rule, symbol};
use super::signature::{Change, Signature, for_each_outcome};
use crate::normal::{
    NormalAxiom, NormalBlock, NormalDomain, NormalGoal, NormalItem, NormalLeaf, NormalSchema,
};

/// What a firing of a rule stands for; indexes are those of the normal form's lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A ground action, by this disjunct of its schema's precondition. The binding is the parameters, then the
    /// disjunct's existential variables; the conclusions begin with the schema's unconditional adds.
    Action { schema: usize, disjunct: usize },
    /// An instance of an axiom whose head can change. The binding is the head's variables, then the others of the body.
    Axiom { axiom: usize },
    /// Only that its heads can become true.
    Support,
}

/// The relaxed program of a problem, with its facts and the meaning of each rule.
pub(crate) struct ReachabilityProgram<'a> {
    pub(crate) program: Program,
    pub(crate) facts: Facts,
    pub(crate) signature: Signature<'a>,
    /// By rule.
    pub(crate) meanings: Vec<Meaning>,
    /// The predicate whose atoms a relation holds; none for types and applicability.
    pub(crate) predicates: Vec<Option<PredicateId>>,
}

impl<'a> ReachabilityProgram<'a> {
    /// The program of `problem`.
    ///
    /// Sound (it derives no less than can happen): deletes and negated literals of what can change are left out, and
    /// each alternative of a draw and each outcome of initial chance counts as happening (the delete relaxation,
    /// Bonet & Geffner 2001; as Datalog, Helmert 2009). What follows from static atoms alone is exact, negation
    /// included, for its rules lie in strata below.
    pub(crate) fn of(
        domain: &'a Domain,
        problem: &'a Problem,
        normal: &NormalDomain,
        goal: &NormalGoal,
    ) -> Self {
        let mut program = Program::new();
        for object in &problem.objects {
            program.symbol(object.name.as_str());
        }
        let signature = Signature::declare(domain, problem, normal, goal, &mut program);
        let facts = Facts::new();
        let mut this = Self {
            program,
            facts,
            signature,
            meanings: Vec::new(),
            predicates: Vec::new(),
        };
        normal
            .schemas
            .iter()
            .enumerate()
            .for_each(|(index, schema)| this.add_schema(index, schema));
        let axioms = normal.axioms.iter().chain(&goal.axioms).enumerate();
        axioms.for_each(|(index, axiom)| this.add_axiom(index, axiom));
        this.add_facts();
        this.predicates = vec![None; this.program.relations().len()];
        for (index, relation) in this.signature.relations.iter().enumerate() {
            this.predicates[relation.index()] = Some(PredicateId::from_index(index));
        }
        this
    }

    /// A rule for each disjunct of the precondition, and one for each conditional item that adds something. The latter
    /// start from an atom that says that the action is applicable, which only exists if it is needed.
    fn add_schema(&mut self, index: usize, schema: &NormalSchema) {
        let name = self.signature.domain.schema(schema.schema).name.clone();
        let conditional: Vec<_> = conditional_adders(&schema.effect);
        let applicable = (!conditional.is_empty())
            .then(|| self.program.relation(format!("applicable:{name}"), schema.arity));
        for (disjunct, conjunction) in schema.precondition.iter().enumerate() {
            let (signature, program) = (&mut self.signature, &mut self.program);
            let mut rule = RuleWriter::new(signature, program, &schema.scope, schema.parameters());
            let mut heads: Vec<_> = applicable
                .map(|relation| rule.atom_of_all(relation))
                .into_iter()
                .collect();
            rule.require(conjunction, Exactness::Relaxed);
            rule.require_types(0, &[conjunction]);
            let mut adds = Vec::new();
            unconditional_adds(&schema.effect, &mut |atom| adds.push(rule.atom(atom)));
            adds.append(&mut heads);
            let rule = rule.finish(name.as_str(), adds);
            self.program.add_rule(rule);
            self.meanings.push(Meaning::Action {
                schema: index,
                disjunct,
            });
        }
        for path in conditional {
            self.add_conditional(name.as_str(), schema, &path, applicable);
        }
    }

    /// Rules for one conditional item: one for each combination of disjuncts of the conditions around it.
    fn add_conditional(
        &mut self,
        name: &str,
        schema: &NormalSchema,
        path: &[&NormalItem],
        applicable: Option<RelationId>,
    ) {
        let combinations = path.iter().fold(vec![Vec::new()], |combinations, item| {
            let with = |one: &Vec<_>| {
                item.condition
                    .iter()
                    .map(|c| [&one[..], &[c]].concat())
                    .collect::<Vec<_>>()
            };
            combinations.iter().flat_map(with).collect()
        });
        for combination in combinations {
            let (signature, program) = (&mut self.signature, &mut self.program);
            let mut rule = RuleWriter::new(signature, program, &schema.scope, schema.parameters());
            applicable
                .into_iter()
                .for_each(|relation| rule.require_atom(relation));
            rule.bind(path.iter().flat_map(|item| item.variables.iter().copied()));
            combination
                .iter()
                .for_each(|conjunction| rule.require(conjunction, Exactness::Relaxed));
            rule.require_types(schema.arity as usize, &combination);
            let mut heads = Vec::new();
            let last = path.last().expect("a path has an item");
            leaf_adds(last, &mut |atom| heads.push(rule.atom(atom)));
            let rule = rule.finish(&format!("{name} (effect)"), heads);
            self.program.add_rule(rule);
            self.meanings.push(Meaning::Support);
        }
    }

    fn add_axiom(&mut self, index: usize, axiom: &NormalAxiom) {
        let rule = axiom_rule(
            &mut self.signature,
            &mut self.program,
            axiom,
            Exactness::Relaxed,
            &[],
        );
        let changes = self.signature.change(axiom.predicate) == Change::Derived;
        self.program.add_rule(rule);
        self.meanings.push(if changes {
            Meaning::Axiom { axiom: index }
        } else {
            Meaning::Support
        });
    }

    /// The atoms of the initial state, those that chance may add, and the objects of each type that a rule asks for.
    fn add_facts(&mut self) {
        let Self { facts, signature, .. } = self;
        let mut tuple = Vec::new();
        let mut add = |facts: &mut Facts, all: &herbrand_pddl::Facts| {
            for fact in all.iter() {
                tuple.clear();
                tuple.extend(fact.arguments.iter().copied().map(symbol));
                facts.add(signature.relations[fact.predicate.index()], &tuple);
            }
        };
        add(facts, &signature.problem.init);
        for_each_outcome(&signature.problem.chances, &mut |outcome: &InitialOutcome| {
            add(facts, &outcome.facts)
        });
        for (types, relation) in signature.type_relations() {
            signature
                .objects_of(types)
                .for_each(|object| facts.add(*relation, &[symbol(object)]));
        }
    }
}

/// The atoms that a block adds whenever it happens, or may add by a draw without further conditions.
fn unconditional_adds(block: &NormalBlock, see: &mut dyn FnMut(&Atom)) {
    block
        .iter()
        .filter(|item| item.is_unconditional())
        .for_each(|item| leaf_adds(item, see));
}

/// The atoms that the leaves of one item add, or may add by a draw without further conditions.
fn leaf_adds(item: &NormalItem, see: &mut dyn FnMut(&Atom)) {
    for leaf in &item.leaves {
        match leaf {
            NormalLeaf::Add(atom) => see(atom),
            NormalLeaf::Draw { alternatives, .. } => {
                alternatives
                    .iter()
                    .for_each(|block| unconditional_adds(block, see));
            }
            NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => {}
        }
    }
}

/// Every item under a condition or quantifier, at any depth of draws, that adds something: each as the path of such
/// items from the root to it.
fn conditional_adders(block: &NormalBlock) -> Vec<Vec<&NormalItem>> {
    let mut paths = Vec::new();
    collect_adders(block, &mut Vec::new(), &mut paths);
    paths
}

fn collect_adders<'n>(
    block: &'n NormalBlock,
    path: &mut Vec<&'n NormalItem>,
    paths: &mut Vec<Vec<&'n NormalItem>>,
) {
    for item in block {
        let conditional = !item.is_unconditional();
        if conditional {
            path.push(item);
            let mut adds = false;
            leaf_adds(item, &mut |_| adds = true);
            if adds {
                paths.push(path.clone());
            }
        }
        for leaf in &item.leaves {
            if let NormalLeaf::Draw { alternatives, .. } = leaf {
                alternatives
                    .iter()
                    .for_each(|block| collect_adders(block, path, paths));
            }
        }
        if conditional {
            path.pop();
        }
    }
}
