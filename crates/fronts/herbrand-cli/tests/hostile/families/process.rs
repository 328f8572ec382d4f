//! Builds the texts of RDDL problems, with the sections that all families share.

use super::Texts;

/// The sections of an RDDL domain and instance that differ between families.
#[derive(Default)]
pub struct Process {
    pub types: String,
    pub pvariables: String,
    pub cpfs: String,
    pub reward: String,
    /// Sections behind the reward.
    pub sections: String,
    pub objects: usize,
    /// Further lists of objects.
    pub more_objects: String,
    pub non_fluents: String,
    pub init: String,
    /// The horizon and the other settings of an instance.
    pub settings: String,
}

impl Process {
    /// The texts, with another line of the domain in place of one that all families share.
    pub fn texts_with(self, shared: &str, own: &str) -> Texts {
        let mut texts = self.texts();
        texts.domain = texts.domain.replace(shared, own);
        texts
    }

    pub fn texts(self) -> Texts {
        let or = |text: &str, other: &str| {
            if text.is_empty() {
                other.to_owned()
            } else {
                text.to_owned()
            }
        };
        let list = |keyword: &str, content: &str| match content {
            "" => String::new(),
            _ => format!("{keyword} {{ {content} }};\n"),
        };
        let objects = (0..self.objects.max(3))
            .map(|number| format!("o{number}"))
            .collect::<Vec<_>>();
        Texts {
            domain: format!(
                "domain d {{\ntypes {{ t : object; {} }};\npvariables {{\n\
                 N(t) : {{ non-fluent, real, default = 1.0 }};\n\
                 q(t) : {{ state-fluent, bool, default = false }};\n\
                 x(t) : {{ state-fluent, real, default = 1.0 }};\n\
                 i : {{ state-fluent, int, default = 1 }};\n\
                 r : {{ state-fluent, real, default = 1.0 }};\n\
                 a(t) : {{ action-fluent, bool, default = false }};\n{} }};\n\
                 cpfs {{ q'(?t) = q(?t) | a(?t); x'(?t) = x(?t); i' = i;\n{} }};\nreward = {};\n{}}}\n",
                self.types,
                self.pvariables,
                or(&self.cpfs, "r' = r;"),
                or(&self.reward, "r"),
                self.sections
            ),
            problem: format!(
                "non-fluents n {{ domain = d; objects {{ t : {{ {} }}; {} }};\n{}}}\n\
                 instance s {{ domain = d; non-fluents = n;\n{}{} }}\n",
                objects.join(", "),
                self.more_objects,
                list("non-fluents", &self.non_fluents),
                list("init-state", &self.init),
                or(
                    &self.settings,
                    "max-nondef-actions = 1; horizon = 20; discount = 1.0;"
                )
            ),
        }
    }
}

/// A real number that becomes this expression, with `objects` objects.
pub fn expression(expression: &str, objects: usize) -> Texts {
    Process {
        cpfs: format!("r' = {expression};"),
        objects,
        ..Process::default()
    }
    .texts()
}

/// Types of variables, as in `?v0 : t, ?v1 : t`.
pub fn bound(count: usize) -> String {
    let all: Vec<_> = (0..count).map(|number| format!("?v{number} : t")).collect();
    all.join(", ")
}

/// A draw, in every step.
pub fn draw(draw: &str) -> Texts {
    expression(&format!("r + {draw}"), 3)
}
