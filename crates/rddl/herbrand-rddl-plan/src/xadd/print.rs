//! Diagrams as text and as data.

use std::fmt::{self, Display, Formatter};

use herbrand_rddl::{Range, TypeId};
use serde::Serialize;

use super::polynomial::Polynomial;
use super::store::{DiagramNode, Test};
use super::{DiagramVariable, Output, Xadd};

/// A node of a diagram, for serialisation: an element of [`XaddData::nodes`].
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum XaddNode {
    /// A leaf: the polynomial that is the value of the diagram.
    Leaf {
        /// The text of the polynomial.
        value: String,
    },
    /// A decision: a test with two successors.
    Decision {
        /// The text of the test.
        test: String,
        /// The index in [`XaddData::nodes`] of the successor if the test holds.
        then: usize,
        /// The index in [`XaddData::nodes`] of the successor if the test does not hold.
        otherwise: usize,
    },
}

/// A diagram as plain data, for serialisation, returned by [`Xadd::data`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct XaddData {
    /// The name of the output that the diagram describes.
    pub output: String,
    /// The random variables, each with its [name](Xadd::name) and [distribution](Xadd::distribution).
    pub draws: Vec<(String, String)>,
    /// The nodes of the diagram, root first.
    pub nodes: Vec<XaddNode>,
}

impl Xadd {
    fn number_name(&self, number: u32) -> String {
        match self.terms.get(number) {
            Some(term) => term.text(&|number| self.number_name(number)),
            None => self.name(self.variables[number as usize]),
        }
    }

    pub(super) fn leaf_text(&self, polynomial: &Polynomial) -> String {
        let position = polynomial.offset();
        match self.output_type() {
            Some(of) if polynomial.variables().next().is_none() => self.item(of, position as u32),
            _ => self.number_text(polynomial),
        }
    }

    /// Returns the name of the item of a type at this position.
    fn item(&self, of: TypeId, position: u32) -> String {
        let instance = &self.compiled.instance;
        let last = instance.size(of).saturating_sub(1);
        instance.item_name(of, position.min(last)).to_string()
    }

    /// Returns the type of the output's values; `None` if they are numbers or bools.
    fn output_type(&self) -> Option<TypeId> {
        let compiled = &self.compiled;
        let range = match self.output {
            Output::Next(at) => compiled.range(&compiled.state, at),
            Output::Interm(at) => compiled.range(&compiled.interm, at),
            Output::Observ(at) => compiled.range(&compiled.observ, at),
            Output::Reward | Output::Terminal | Output::Precondition(_) => return None,
        };
        match range {
            Range::Item(of) => Some(of),
            _ => None,
        }
    }

    /// Formats a test of a fluent whose values are items, such as `sky = sun` or `sky in {rain, storm}`; `None` for any other
    /// test. `holds` is whether the test holds for a value of the polynomial.
    fn item_test(&self, polynomial: &Polynomial, holds: impl Fn(f64) -> bool) -> Option<String> {
        let mut variables = polynomial.variables();
        let number = variables.next().filter(|_| variables.next().is_none())?;
        let variable = *self.variables.get(number as usize)?;
        let compiled = &self.compiled;
        let range = match variable {
            DiagramVariable::State(at) => compiled.range(&compiled.state, at),
            DiagramVariable::Action(at) => compiled.range(&compiled.action, at),
            _ => return None,
        };
        let Range::Item(of) = range else { return None };
        let items = 0..compiled.instance.size(of);
        let names = items.filter(|&item| holds(polynomial.value(&|_| f64::from(item))));
        let names: Vec<String> = names.map(|item| self.item(of, item)).collect();
        let name = self.name(variable);
        Some(match names.as_slice() {
            [one] => format!("{name} = {one}"),
            several => format!("{name} in {{{}}}", several.join(", ")),
        })
    }

    fn number_text(&self, polynomial: &Polynomial) -> String {
        polynomial.text(&|number| self.number_name(number))
    }

    /// Formats a test as a comparison of the terms with variables with a constant.
    pub(super) fn test_text(&self, test: u32) -> String {
        let (polynomial, sign) = match &self.tests[test as usize] {
            Test::Holds(variable) => return self.number_name(*variable),
            Test::Above(polynomial) => (polynomial, ">"),
            Test::AtLeast(polynomial) => (polynomial, ">="),
        };
        if let Some(text) = self.item_test(polynomial, |value| match sign {
            ">" => value > 0.0,
            _ => value >= 0.0,
        }) {
            return text;
        }
        let border = 0.0 - polynomial.offset();
        format!("{} {sign} {border}", self.number_text(&polynomial.form()))
    }

    /// Returns the diagram as data, for serialisation.
    #[must_use]
    pub fn data(&self) -> XaddData {
        let last = self.parts.len() - 1;
        let node = |part: &DiagramNode| match part {
            DiagramNode::Leaf(polynomial) => XaddNode::Leaf {
                value: self.leaf_text(polynomial),
            },
            DiagramNode::Decision(test, high, low) => XaddNode::Decision {
                test: self.test_text(*test),
                then: last - *high as usize,
                otherwise: last - *low as usize,
            },
        };
        XaddData {
            output: self.output.name(&self.compiled),
            draws: self.draws(),
            nodes: self.parts.iter().rev().map(node).collect(),
        }
    }

    fn draws(&self) -> Vec<(String, String)> {
        let draw = |&variable| Some((self.name(variable), self.distribution(variable)?));
        self.variables.iter().filter_map(draw).collect()
    }

    fn write(
        &self,
        f: &mut Formatter<'_>,
        at: usize,
        depth: usize,
        shown: &mut [bool],
        uses: &[u32],
    ) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match &self.parts[at] {
            DiagramNode::Leaf(polynomial) => writeln!(f, "{indent}{}", self.leaf_text(polynomial)),
            DiagramNode::Decision(..) if shown[at] => writeln!(f, "{indent}as #{at}"),
            &DiagramNode::Decision(test, high, low) => {
                shown[at] = true;
                let mark = if uses[at] > 1 {
                    format!("  #{at}")
                } else {
                    String::new()
                };
                writeln!(f, "{indent}if {}{mark}", self.test_text(test))?;
                self.write(f, high as usize, depth + 1, shown, uses)?;
                writeln!(f, "{indent}else")?;
                self.write(f, low as usize, depth + 1, shown, uses)
            }
        }
    }
}

/// Writes nested decisions. A node with several parents is written once, with a number.
impl Display for Xadd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} =", self.output.name(&self.compiled))?;
        let mut uses = vec![0_u32; self.parts.len()];
        for part in &self.parts {
            if let DiagramNode::Decision(_, high, low) = part {
                uses[*high as usize] += 1;
                uses[*low as usize] += 1;
            }
        }
        let mut shown = vec![false; self.parts.len()];
        self.write(f, self.parts.len() - 1, 1, &mut shown, &uses)?;
        for (name, distribution) in self.draws() {
            writeln!(f, "{name} ~ {distribution}")?;
        }
        Ok(())
    }
}
