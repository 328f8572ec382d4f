//! Parsing of texts: from a [`Source`] to checked models.

use herbrand_limits::{Budget, Meter, deep};
use herbrand_text::{Mention, ReadOptions, Severity, Source, Span};

use crate::check::{check_domain, check_problem};
use crate::diagnostic::{Checked, Code, Diagnostic, Diagnostics, Faults};
use crate::mentions::mentions;
use crate::model::{Domain, Problem};
use crate::syntax::{self, Names, ast};

/// A parsed text with any number of definitions, whose names and types are not yet checked. [`read`] returns it; check each
/// of [`domains`](Self::domains) and [`problems`](Self::problems) to get models.
pub struct Document<'s> {
    source: &'s Source,
    options: ReadOptions,
    file: ast::File,
    names: Names<'s>,
    diagnostics: Vec<Diagnostic>,
    /// The meter that is charged for reading the text.
    meter: Meter,
}

/// Parses all definitions of `source`, in time linear in its length. Faults of syntax, of length and of limits are
/// listed in the result ([`Document::diagnostics`]); they do not stop the parser. Names and types are checked by
/// `check` of each of [`Document::domains`] and [`Document::problems`]. A text without a definition gives a document
/// without any, and a fault. A text that is longer than [`ReadOptions::max_bytes`] has no definitions.
#[must_use]
pub fn read<'s>(source: &'s Source, options: &ReadOptions) -> Document<'s> {
    let meter = options.budget.meter("reading");
    let mut faults = Diagnostics::within(source.clone(), options.strict, meter).lenient(options.lenient);
    faults.charge(source.text().len());
    // The meter checks the clock only now and then, so a short text might be read without any check.
    let _ = faults.meter().check();
    let (file, names) = if options.is_too_long(Code::TextTooLong, &mut faults) {
        (ast::File::default(), Names::new())
    } else {
        deep(|| syntax::parse(source, &mut faults))
    };
    let meter = faults.meter().clone();
    let mut file = file;
    if options.lenient {
        // In lenient mode every repair is reported, even if it follows from another repair.
        file.doubtful.clear();
    }
    let mut diagnostics = faults.into_list();
    // Brackets of another kind make the whole text doubtful.
    let is_all = |span: &Span| span.start == 0 && span.end as usize == source.text().len();
    let other_brackets = file.doubtful.iter().any(is_all);
    diagnostics.retain(|diagnostic| {
        let is_missing = other_brackets && diagnostic.code() == Code::NoDefinition;
        !is_missing && !may_follow(diagnostic, &file.doubtful)
    });
    Document {
        source,
        options: options.clone(),
        file,
        names,
        meter,
        diagnostics,
    }
}

/// Returns whether a diagnostic may be a mere consequence of a missing parenthesis, which has a diagnostic of its own. Such
/// a diagnostic is about nesting or about the use of a feature, and is located in a section with a missing parenthesis. If
/// the fault is real, it is reported once the parenthesis is added.
fn may_follow(diagnostic: &Diagnostic, doubtful: &[Span]) -> bool {
    let nests = matches!(
        diagnostic.code(),
        Code::Unexpected
            | Code::UnknownSection
            | Code::RepeatedSection
            | Code::MisplacedOperator
            | Code::OperandCount
            | Code::UnboundVariable
            | Code::MissingRequirement
            | Code::UnusedRequirement
    );
    let unneeded = diagnostic.code() == Code::UnusedRequirement;
    let Some(label) = diagnostic.labels().first().filter(|_| nests) else {
        return false;
    };
    let within = |section: &Span| section.start <= label.span().start && label.span().end <= section.end;
    doubtful.iter().any(|section| unneeded || within(section))
}

impl<'s> Document<'s> {
    /// Returns the faults and warnings that parsing found. Empty if the syntax has no faults. A definition with syntax
    /// errors gives no model when it is checked.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the domain definitions of the text, in the order of the text.
    pub fn domains(&self) -> impl ExactSizeIterator<Item = UncheckedDomain<'_, 's>> {
        self.file.domains.iter().map(|syntax| UncheckedDomain {
            document: self,
            syntax,
        })
    }

    /// Returns the problem definitions of the text, in the order of the text.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = UncheckedProblem<'_, 's>> {
        self.file.problems.iter().map(|syntax| UncheckedProblem {
            document: self,
            syntax,
        })
    }

    /// Returns the names in all definitions with their places and roles, sorted by place, for editors. Faulty texts have them
    /// too, except in parts that the parser skipped. Names are not resolved, so there may be uses without a declaration.
    /// Takes time linear in the length of the text, if each variable is bound near its uses.
    ///
    /// ```
    /// use herbrand_pddl::{NameKind, ReadOptions, Role, Source, read};
    ///
    /// let source = Source::new("lamp.pddl", "(define (domain lamp) (:predicates (on ?l))
    ///     (:action press :parameters (?l) :effect (on ?l)))");
    /// let mentions = read(&source, &ReadOptions::default()).mentions();
    /// let changed = mentions.iter().find(|mention| mention.role == Role::Changes).unwrap();
    /// assert_eq!((changed.kind, &source.text()[changed.extent.range()]), (NameKind::Predicate, "(on ?l)"));
    /// ```
    #[must_use]
    pub fn mentions(&self) -> Vec<Mention> {
        deep(|| mentions(&self.file))
    }

    fn name(&self, word: syntax::Word) -> String {
        self.names.text_of(word.symbol).to_ascii_lowercase()
    }

    /// Returns the places of the names of all definitions of a kind.
    fn names_of(&self, kind: &str) -> Vec<(&Source, Span)> {
        let names: Vec<_> = match kind {
            "domain" => self.file.domains.iter().map(|one| one.name.span).collect(),
            _ => self.file.problems.iter().map(|one| one.name.span).collect(),
        };
        names.into_iter().map(|span| (self.source, span)).collect()
    }

    fn faults(&self) -> Diagnostics {
        Diagnostics::within(self.source.clone(), self.options.strict, self.meter.clone())
            .lenient(self.options.lenient)
    }
}

/// A domain definition of a [`Document`], parsed; [`check`](Self::check) resolves its names and types. Its syntax
/// faults are in [`Document::diagnostics`].
#[derive(Clone, Copy)]
pub struct UncheckedDomain<'d, 's> {
    document: &'d Document<'s>,
    syntax: &'d ast::Domain,
}

impl UncheckedDomain<'_, '_> {
    /// Returns the domain's name in lower case.
    #[must_use]
    pub fn name(&self) -> String {
        self.document.name(self.syntax.name)
    }

    /// Resolves the names of the domain and checks its types. Does not fail: the result lists the faults, and has no model
    /// if one of them is an error.
    #[must_use]
    pub fn check(&self) -> Checked<Domain> {
        let document = self.document;
        let mut faults = document.faults();
        let domain = deep(|| {
            check_domain(
                self.syntax,
                &document.file,
                &document.names,
                document.source,
                &mut faults,
            )
        });
        let doubtful = &document.file.doubtful;
        let in_doubt = |section: &Span| {
            doubtful
                .iter()
                .any(|doubt| doubt.start < section.end && section.start < doubt.end)
        };
        let declares = self.syntax.declares && !self.syntax.declarations.iter().any(in_doubt);
        let mut reading = reading(domain, self.syntax.faulty, faults, doubtful);
        let is_unclear = |diagnostic: &Diagnostic| {
            matches!(
                diagnostic.code(),
                Code::DuplicateDeclaration | Code::ReservedName | Code::TypeCycle | Code::LimitReached
            )
        };
        // Without a cycle, the types of arguments may fit.
        let has_cycle = |diagnostic: &Diagnostic| diagnostic.code() == Code::TypeCycle;
        if reading.diagnostics.iter().any(has_cycle) {
            let fits = [Code::TypeMismatch, Code::MaybeMismatch];
            reading.diagnostics.retain(|one| !fits.contains(&one.code()));
        }
        if !declares || reading.diagnostics.iter().any(is_unclear) {
            reading.declared = None;
        }
        reading
    }
}

/// A problem definition of a [`Document`], parsed; [`check`](Self::check) resolves its names and types. Its syntax
/// faults are in [`Document::diagnostics`].
#[derive(Clone, Copy)]
pub struct UncheckedProblem<'d, 's> {
    document: &'d Document<'s>,
    syntax: &'d ast::Problem,
}

impl UncheckedProblem<'_, '_> {
    /// Returns the problem's name in lower case.
    #[must_use]
    pub fn name(&self) -> String {
        self.document.name(self.syntax.name)
    }

    /// Returns the name in `(:domain …)` in lower case, or `None` if the problem does not have that section.
    #[must_use]
    pub fn domain_name(&self) -> Option<String> {
        self.syntax.domain_name.map(|word| self.document.name(word))
    }

    /// Resolves the names of the problem and checks its types, against `domain`. Does not fail: the result lists the
    /// faults, and has no model if one of them is an error. A problem that names another domain gets a warning; if most
    /// of its names are unknown too, [`Code::OtherDomain`] is its only fault.
    #[must_use]
    pub fn check(&self, domain: &Domain) -> Checked<Problem> {
        let document = self.document;
        let mut faults = document.faults();
        let problem = deep(|| {
            check_problem(
                self.syntax,
                &document.file,
                &document.names,
                document.source,
                domain,
                &mut faults,
            )
        });
        let mut reading = reading(problem, self.syntax.faulty, faults, &document.file.doubtful);
        reading.declared = None;
        if let Some(one) = self.other_domain(domain, &reading.diagnostics) {
            reading.diagnostics = one;
        }
        reading
    }

    /// Returns warnings about a goal or an initial state that is missing. A problem that has a metric may lack a goal.
    /// Returns an empty list if both are there, or if the definition has syntax faults. With [`ReadOptions::strict`]
    /// they are errors. [`check`](Self::check) does not report them.
    #[must_use]
    pub fn missing_sections(&self) -> Vec<Diagnostic> {
        let (mut faults, syntax) = (self.document.faults(), self.syntax);
        let has_goal = syntax.goal.is_some() || syntax.metric.is_some() || syntax.faulty;
        for (is_there, section) in [(has_goal, "goal"), (syntax.has_init || syntax.faulty, "init")] {
            if !is_there {
                faults.report(
                    Code::MissingSection,
                    format!("the problem has no `:{section}`"),
                    |d| d.primary(syntax.name.span, format!("a problem needs `(:{section} …)`")),
                );
            }
        }
        faults.into_list()
    }

    /// Returns a single error in place of `found` if the problem names another domain, and most of its names are unknown in
    /// the given one.
    fn other_domain(&self, domain: &Domain, found: &[Diagnostic]) -> Option<Vec<Diagnostic>> {
        let is_unknown = |one: &&Diagnostic| {
            matches!(
                one.code(),
                Code::UnknownPredicate | Code::UnknownObject | Code::UnknownType | Code::UnknownFunction
            )
        };
        let unknown = found.iter().filter(is_unknown).count();
        let most =
            2 * unknown > self.syntax.init.len() || found.iter().any(|one| one.code() == Code::TooManyFaults);
        let word = self.syntax.domain_name?;
        let (name, given) = (self.document.name(word), domain.name.as_str());
        if unknown < FOREIGN || !most || name == given {
            return None;
        }
        let mut faults = self.document.faults();
        let message = format!("the problem is for the domain `{name}`, but the domain is `{given}`");
        faults.report(Code::OtherDomain, message, |d| {
            d.primary(
                word.span,
                format!("{unknown} names in this problem are unknown in `{given}`"),
            )
            .help(format!("give the file that defines the domain `{name}`"))
        });
        Some(faults.into_list())
    }
}

/// The least number of unknown names in a problem that belongs to another domain.
const FOREIGN: usize = 5;

fn reading<T>(value: T, faulty: bool, faults: Diagnostics, doubtful: &[Span]) -> Checked<T> {
    let accepted = !faulty && faults.errors() == 0;
    let mut diagnostics = faults.into_list();
    diagnostics.retain(|diagnostic| !may_follow(diagnostic, doubtful));
    let (value, declared) = if accepted {
        (Some(value), None)
    } else {
        (None, Some(value))
    };
    Checked {
        value,
        declared,
        diagnostics,
    }
}

impl Domain {
    /// Parses and checks the domain in `source`, which must define exactly one. Problems in the same text are
    /// ignored unless their syntax is wrong; warnings are ignored.
    ///
    /// # Errors
    /// All faults of the text, including a wrong number of domains and text outside of any definition.
    pub fn parse(source: &Source) -> Result<Self, Faults> {
        Self::parse_within(source, &Budget::unlimited())
    }

    /// Like [`parse`](Self::parse), within a budget that other computations may share. [`Budget::unlimited`] gives the
    /// same result as [`parse`](Self::parse).
    ///
    /// # Errors
    /// All faults of the text. [`Code::LimitReached`] is among them if the budget is exhausted.
    pub fn parse_within(source: &Source, budget: &Budget) -> Result<Self, Faults> {
        Ok(Self::parse_with(source, &ReadOptions::within(budget))?.0)
    }

    /// Like [`parse`](Self::parse), with options. Also returns the warnings of the accepted text.
    ///
    /// ```
    /// use herbrand_pddl::{Domain, ReadOptions, Source};
    ///
    /// let source = Source::new("lamp.pddl", "(define (domain lamp) (:predicates (on))");
    /// assert!(Domain::parse(&source).is_err());
    /// let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    /// let (domain, warnings) = Domain::parse_with(&source, &options)?;
    /// assert_eq!(domain.predicates.len(), 1);
    /// assert_eq!(warnings[0].notes(), ["read as if one `)` stood at the end of the text"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// All faults of the text, including a wrong number of domains, a text that is too long and an exhausted budget.
    pub fn parse_with(source: &Source, options: &ReadOptions) -> Result<(Self, Vec<Diagnostic>), Faults> {
        let document = read(source, options);
        let found = document.domains().map(|domain| domain.check());
        one(&document, "domain", found)
    }

    /// Parses and checks the domain in `text`, which must define exactly one. Diagnostics use `domain` as the name of the
    /// text.
    ///
    /// # Errors
    /// All faults of the text, including a wrong number of domains.
    pub fn from_text(text: &str) -> Result<Self, Faults> {
        Self::parse(&Source::new("domain", text))
    }
}

impl Problem {
    /// Parses the problem in `source`, which must define exactly one, and checks it against `domain`. Domains in the
    /// same text are ignored unless their syntax is wrong; warnings are ignored.
    ///
    /// # Errors
    /// All faults of the text, including a wrong number of problems and text outside of any definition. A problem that
    /// names another domain is a fault only if many of its names are unknown in `domain`; otherwise it gets a warning.
    pub fn parse(source: &Source, domain: &Domain) -> Result<Self, Faults> {
        Self::parse_within(source, domain, &Budget::unlimited())
    }

    /// Like [`parse`](Self::parse), within a budget that other computations may share. [`Budget::unlimited`] gives the
    /// same result as [`parse`](Self::parse).
    ///
    /// # Errors
    /// All faults of the text. [`Code::LimitReached`] is among them if the budget is exhausted.
    pub fn parse_within(source: &Source, domain: &Domain, budget: &Budget) -> Result<Self, Faults> {
        Ok(Self::parse_with(source, domain, &ReadOptions::within(budget))?.0)
    }

    /// Like [`parse`](Self::parse), with options. Also returns the warnings of the accepted text.
    ///
    /// # Errors
    /// All faults of the text, including a wrong number of problems, a text that is too long and an exhausted budget.
    pub fn parse_with(
        source: &Source,
        domain: &Domain,
        options: &ReadOptions,
    ) -> Result<(Self, Vec<Diagnostic>), Faults> {
        let document = read(source, options);
        let found = document.problems().map(|problem| problem.check(domain));
        one(&document, "problem", found)
    }

    /// Parses the problem in `text`, which must define exactly one, and checks it against `domain`. Diagnostics use
    /// `problem` as the name of the text.
    ///
    /// # Errors
    /// All faults of the text, including a wrong number of problems.
    pub fn from_text(text: &str, domain: &Domain) -> Result<Self, Faults> {
        Self::parse(&Source::new("problem", text), domain)
    }
}

/// Returns the model of the only definition, and the warnings. Fails if there are several definitions or none, or if the
/// text has a syntax error anywhere.
fn one<T>(
    document: &Document<'_>,
    what: &str,
    mut found: impl ExactSizeIterator<Item = Checked<T>>,
) -> Result<(T, Vec<Diagnostic>), Faults> {
    let mut diagnostics = document.diagnostics.clone();
    let is_sound = diagnostics.iter().all(|d| d.severity() != Severity::Error);
    let count = found.len();
    if count == 1
        && let Some(mut reading) = found.next()
    {
        diagnostics.append(&mut reading.diagnostics);
        return match reading.value.filter(|_| is_sound) {
            Some(value) => Ok((value, diagnostics)),
            None => Err(Faults::new(diagnostics)),
        };
    }
    if is_sound {
        let mut faults = document.faults();
        let names = document.names_of(what);
        let how = format!("a {what} is written `(define ({what} NAME) …)`");
        faults.report_count(Code::DefinitionCount, what, &how, &names);
        diagnostics = faults.into_list();
    }
    Err(Faults::new(diagnostics))
}
