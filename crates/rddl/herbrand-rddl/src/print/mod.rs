//! Formats models as RDDL in a canonical layout. Parsing the text gives an equal model.

mod expression;

use std::fmt::{self, Display, Write as _};

use expression::Printer;

use crate::model::{
    Cpf, Domain, Formula, Instance, Pvariable, PvariableId, PvariableKind, Range, Settings, Type, TypeKind,
    Value,
};

impl Domain {
    /// Returns the domain as RDDL text in a canonical layout. Parsing the text gives an equal domain.
    #[must_use]
    pub fn to_rddl(&self) -> String {
        self.to_string()
    }

    fn type_text(one: &Type) -> String {
        match &one.kind {
            TypeKind::Objects => format!("{} : object;", one.name),
            TypeKind::Enum(values) => {
                let values: Vec<String> = values.iter().map(|value| format!("@{value}")).collect();
                format!("{} : {{ {} }};", one.name, values.join(", "))
            }
        }
    }

    fn pvariable_text(&self, one: &Pvariable) -> String {
        let mut text = one.name.to_string();
        if !one.parameters.is_empty() {
            let types: Vec<&str> = one
                .parameters
                .iter()
                .map(|&of| self.type_of(of).name.as_str())
                .collect();
            text += &format!("({})", types.join(", "));
        }
        text += &format!(" : {{ {}, {}", one.kind.as_str(), self.range_name(one.range));
        if let Some(value) = one.default {
            text += &format!(", default = {}", self.constant_text(one.range, value));
        }
        text + " };"
    }

    /// Formats a constant of the domain.
    fn constant_text(&self, range: Range, value: Value) -> String {
        match (range, value) {
            (Range::Item(of), Value::Item(item)) => match self.type_of(of).values() {
                Some(values) => format!("@{}", values[item as usize]),
                None => String::new(),
            },
            _ => number(value),
        }
    }

    /// Returns a conditional probability function of this domain as RDDL text: `on'(?l) = …;`. One of another domain
    /// gives a wrong text or a panic.
    #[must_use]
    pub fn cpf_text(&self, cpf: &Cpf) -> String {
        let pvariable = self.pvariable(cpf.head);
        let mut text = pvariable.name.to_string();
        if pvariable.kind == PvariableKind::State {
            text.push('\'');
        }
        let parameters = cpf.formula.parameters();
        if !parameters.is_empty() {
            let names: Vec<String> = parameters.iter().map(|one| format!("?{}", one.name)).collect();
            text += &format!("({})", names.join(", "));
        }
        text + &format!(" = {};", self.formula_text(&cpf.formula))
    }

    /// Returns the formula of one action precondition as RDDL text; empty if no precondition has this number. Numbers start
    /// at 0: first `preconditions`, then `constraints`.
    #[must_use]
    pub fn precondition_text(&self, number: usize) -> String {
        let formula = self.preconditions.iter().chain(&self.constraints).nth(number);
        formula.map_or_else(String::new, |formula| self.formula_text(formula))
    }

    /// Returns the formula of one state invariant as RDDL text; empty if no invariant has this number. Numbers start at 0.
    #[must_use]
    pub fn invariant_text(&self, number: usize) -> String {
        let formula = self.invariants.get(number);
        formula.map_or_else(String::new, |formula| self.formula_text(formula))
    }

    /// Returns a formula of the domain as RDDL text. A formula of another domain gives a wrong text or a panic.
    #[must_use]
    pub fn formula_text(&self, formula: &Formula) -> String {
        Printer::new(self, formula).text()
    }
}

/// Formats a constant that is not an item.
pub(crate) fn number(value: Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Real(r) if r == f64::INFINITY => "pos-inf".to_owned(),
        Value::Real(r) if r == f64::NEG_INFINITY => "neg-inf".to_owned(),
        Value::Real(r) => {
            // The shortest digits that parse to the same value, without an exponent.
            let text = r.to_string();
            if text.contains('.') { text } else { text + ".0" }
        }
        Value::Item(item) => format!("#{item}"),
    }
}

/// Formats `name { … };` with one line per item; empty without items.
fn section(name: &str, items: impl IntoIterator<Item = String>) -> String {
    let lines: String = items
        .into_iter()
        .map(|item| format!("        {item}\n"))
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!("\n    {name} {{\n{lines}    }};\n")
    }
}

impl Display for Domain {
    /// Writes the domain as RDDL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions = |name, all: &[Formula]| {
            let lines = all.iter().map(|one| format!("{};", self.formula_text(one)));
            section(name, lines)
        };
        writeln!(f, "domain {} {{", self.name)?;
        if !self.requirements.is_empty() {
            let names: Vec<&str> = self.requirements.iter().map(|name| name.as_str()).collect();
            writeln!(f, "\n    requirements = {{ {} }};", names.join(", "))?;
        }
        let pvariables = self.pvariables.iter().map(|one| self.pvariable_text(one));
        f.write_str(&section("types", self.types.iter().map(Self::type_text)))?;
        f.write_str(&section("pvariables", pvariables))?;
        f.write_str(&section("cpfs", self.cpfs.iter().map(|cpf| self.cpf_text(cpf))))?;
        writeln!(f, "\n    reward = {};", self.formula_text(&self.reward))?;
        f.write_str(&conditions("action-preconditions", &self.preconditions))?;
        f.write_str(&conditions("state-action-constraints", &self.constraints))?;
        f.write_str(&conditions("state-invariants", &self.invariants))?;
        f.write_str(&conditions("termination", &self.terminations))?;
        f.write_str("}\n")
    }
}

impl Instance {
    /// Formats the instance as RDDL: its non-fluents and its own block, without the domain.
    #[must_use]
    pub fn to_rddl(&self) -> String {
        self.to_string()
    }

    /// Formats the block of non-fluents that the instance uses, with the objects; `None` if it uses no named block. The
    /// non-fluents are then part of [`own_to_rddl`](Self::own_to_rddl).
    #[must_use]
    pub fn non_fluents_to_rddl(&self) -> Option<String> {
        let name = self.non_fluents_name.as_ref()?;
        let mut text = format!("non-fluents {name} {{\n    domain = {};\n", self.domain.name);
        text += &section("objects", self.objects_text());
        text += &section("non-fluents", self.settings_text(&self.non_fluents));
        Some(text + "}\n")
    }

    /// Formats the instance's own block as RDDL, without the block of non-fluents that it uses.
    #[must_use]
    pub fn own_to_rddl(&self) -> String {
        let mut text = format!("instance {} {{\n    domain = {};\n", self.name, self.domain.name);
        match &self.non_fluents_name {
            Some(name) => text += &format!("    non-fluents = {name};\n"),
            None => {
                text += &section("objects", self.objects_text());
                text += &section("non-fluents", self.settings_text(&self.non_fluents));
            }
        }
        text += &section("init-state", self.settings_text(&self.init_state));
        text += &format!("\n    max-nondef-actions = {};\n", self.max_nondef_actions);
        text += &format!("    horizon = {};\n", self.horizon);
        text + &format!("    discount = {};\n}}\n", number(Value::Real(self.discount)))
    }

    fn objects_text(&self) -> Vec<String> {
        let listed = self.objects.iter().zip(&self.domain.types);
        let listed = listed.filter(|(objects, _)| !objects.is_empty());
        listed
            .map(|(objects, one)| {
                let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
                format!("{} : {{ {} }};", one.name, names.join(", "))
            })
            .collect()
    }

    fn settings_text(&self, all: &[Settings]) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, settings) in all.iter().enumerate() {
            let id = PvariableId::from_index(index);
            lines.extend(
                settings
                    .iter()
                    .map(|&(number, value)| self.setting_text(id, number, value)),
            );
        }
        lines
    }

    fn setting_text(&self, id: PvariableId, ground: u64, value: Value) -> String {
        let pvariable = self.domain.pvariable(id);
        let mut text = pvariable.name.to_string();
        let arguments: Vec<String> = pvariable
            .parameters
            .iter()
            .zip(self.arguments(id, ground))
            .map(|(&of, item)| self.item_text(of, item))
            .collect();
        if !arguments.is_empty() {
            let _ = write!(text, "({})", arguments.join(", "));
        }
        let value = match (pvariable.range, value) {
            (Range::Item(of), Value::Item(item)) => self.item_text(of, item),
            _ => number(value),
        };
        text + &format!(" = {value};")
    }

    fn item_text(&self, of: crate::model::TypeId, item: u32) -> String {
        let sign = match self.domain.type_of(of).kind {
            TypeKind::Enum(_) => "@",
            TypeKind::Objects => "",
        };
        format!("{sign}{}", self.item_name(of, item))
    }
}

impl Display for Instance {
    /// Writes the instance as RDDL: its non-fluents and its own block.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.non_fluents_to_rddl() {
            writeln!(f, "{text}")?;
        }
        f.write_str(&self.own_to_rddl())
    }
}
