//! Reading texts: the whole way from a [`Source`] to checked models.

use herbrand_limits::{Budget, Meter};

use crate::check::{check_domain, check_problem};
use crate::diagnostic::{Code, Diagnostics};
use crate::syntax::{self, Names, ast};
use crate::{Diagnostic, Domain, Faults, Problem, Severity, Source, Span};

/// How a text is read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Whether warnings, such as a missing requirement flag, are errors.
    pub strict: bool,
    /// Whether faults that leave one obvious reading are warnings: a missing or surplus parenthesis, a word or list outside of any
    /// section, an argument of the wrong type. Each warning notes what was assumed. If reading is strict too, they are errors.
    pub lenient: bool,
    /// The longest text that is read, in bytes.
    pub max_bytes: u32,
    /// What reading and checking may use; a text that takes more is refused with [`Code::LimitReached`].
    pub budget: Budget,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            strict: false,
            lenient: false,
            max_bytes: u32::MAX,
            budget: Budget::unlimited(),
        }
    }
}

impl ReadOptions {
    /// The default options, within a budget.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            ..Self::default()
        }
    }
}

/// What came of checking a definition.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// The model, unless there are errors.
    pub value: Option<T>,
    /// All faults and warnings of the definition.
    pub diagnostics: Vec<Diagnostic>,
}

/// A text whose definitions were read, and not yet checked. A text may hold several of them.
pub struct Document<'s> {
    source: &'s Source,
    options: ReadOptions,
    file: ast::File,
    names: Names<'s>,
    diagnostics: Vec<Diagnostic>,
    /// What was read is charged here.
    meter: Meter,
}

/// Reads all definitions of `source`, in time linear in its length.
#[must_use]
pub fn read<'s>(source: &'s Source, options: &ReadOptions) -> Document<'s> {
    let meter = options.budget.meter("reading");
    let mut faults = Diagnostics::within(source.clone(), options.strict, meter).lenient(options.lenient);
    faults.charge(source.text().len());
    // Short texts may end before the clock is looked at.
    let _ = faults.meter().check();
    let (file, names) = if source.text().len() > options.max_bytes as usize {
        report_length(source, options.max_bytes, &mut faults);
        (ast::File::default(), Names::new())
    } else {
        syntax::parse(source, &mut faults)
    };
    let meter = faults.meter().clone();
    let mut file = file;
    if options.lenient {
        // Each repair is reported, also one that another one made necessary.
        file.doubtful.clear();
    }
    let mut diagnostics = faults.into_list();
    diagnostics.retain(|diagnostic| !may_follow(diagnostic, &file.doubtful));
    Document {
        source,
        options: options.clone(),
        file,
        names,
        meter,
        diagnostics,
    }
}

/// Whether a diagnostic may only follow from a missing parenthesis, which is reported by itself: it is about how things are
/// nested, or about a feature that is used, in a section that such a parenthesis was found in. If it is a fault of its own, it is
/// reported once the parenthesis is there.
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

fn report_length(source: &Source, limit: u32, faults: &mut Diagnostics) {
    let length = source.text().len();
    faults.report(Code::TextTooLong, format!("the text has {length} bytes"), |d| {
        d.primary(
            Span { start: 0, end: 0 },
            format!("texts of up to {limit} bytes are read"),
        )
    });
}

impl<'s> Document<'s> {
    /// The faults of its syntax. A definition that has some checks to no model.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The domains, in the order written.
    pub fn domains(&self) -> impl ExactSizeIterator<Item = UncheckedDomain<'_, 's>> {
        self.file.domains.iter().map(|syntax| UncheckedDomain {
            document: self,
            syntax,
        })
    }

    /// The problems, in the order written.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = UncheckedProblem<'_, 's>> {
        self.file.problems.iter().map(|syntax| UncheckedProblem {
            document: self,
            syntax,
        })
    }

    fn name(&self, word: syntax::Word) -> String {
        self.names.text_of(word.symbol).to_ascii_lowercase()
    }

    fn faults(&self) -> Diagnostics {
        Diagnostics::within(self.source.clone(), self.options.strict, self.meter.clone())
            .lenient(self.options.lenient)
    }
}

/// A domain that was read, and not yet checked.
#[derive(Clone, Copy)]
pub struct UncheckedDomain<'d, 's> {
    document: &'d Document<'s>,
    syntax: &'d ast::Domain,
}

impl UncheckedDomain<'_, '_> {
    /// Its name, in lower case.
    #[must_use]
    pub fn name(&self) -> String {
        self.document.name(self.syntax.name)
    }

    /// Resolves its names and checks its types.
    #[must_use]
    pub fn check(&self) -> Reading<Domain> {
        let document = self.document;
        let mut faults = document.faults();
        let domain = check_domain(
            self.syntax,
            &document.file,
            &document.names,
            document.source,
            &mut faults,
        );
        reading(domain, self.syntax.faulty, faults, &document.file.doubtful)
    }
}

/// A problem that was read, and not yet checked.
#[derive(Clone, Copy)]
pub struct UncheckedProblem<'d, 's> {
    document: &'d Document<'s>,
    syntax: &'d ast::Problem,
}

impl UncheckedProblem<'_, '_> {
    /// Its name, in lower case.
    #[must_use]
    pub fn name(&self) -> String {
        self.document.name(self.syntax.name)
    }

    /// The name of its domain, in lower case, if it states one.
    #[must_use]
    pub fn domain_name(&self) -> Option<String> {
        self.syntax.domain_name.map(|word| self.document.name(word))
    }

    /// Resolves its names and checks its types, against `domain`.
    #[must_use]
    pub fn check(&self, domain: &Domain) -> Reading<Problem> {
        let document = self.document;
        let mut faults = document.faults();
        let problem = check_problem(
            self.syntax,
            &document.file,
            &document.names,
            document.source,
            domain,
            &mut faults,
        );
        reading(problem, self.syntax.faulty, faults, &document.file.doubtful)
    }
}

fn reading<T>(value: T, faulty: bool, faults: Diagnostics, doubtful: &[Span]) -> Reading<T> {
    let accepted = !faulty && faults.errors() == 0;
    let mut diagnostics = faults.into_list();
    diagnostics.retain(|diagnostic| !may_follow(diagnostic, doubtful));
    Reading {
        value: accepted.then_some(value),
        diagnostics,
    }
}

impl Domain {
    /// Reads the one domain that `source` defines; problems beside it are left alone.
    ///
    /// # Errors
    /// All faults of the text, if it has some.
    pub fn parse(source: &Source) -> Result<Self, Faults> {
        Self::parse_within(source, &Budget::unlimited())
    }

    /// [`parse`](Self::parse) within a budget that other passes share.
    ///
    /// # Errors
    /// All faults of the text, if it has some; [`Code::LimitReached`] is among them if the budget is spent.
    pub fn parse_within(source: &Source, budget: &Budget) -> Result<Self, Faults> {
        Ok(Self::parse_with(source, &ReadOptions::within(budget))?.0)
    }

    /// [`parse`](Self::parse) with options, and the warnings.
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
    /// All faults of the text, if it has some.
    pub fn parse_with(source: &Source, options: &ReadOptions) -> Result<(Self, Vec<Diagnostic>), Faults> {
        let document = read(source, options);
        let found = document.domains().map(|domain| domain.check());
        one(&document, "domain", found)
    }

    /// Reads the one domain that `text` defines.
    ///
    /// # Errors
    /// All faults of the text, if it has some.
    pub fn from_text(text: &str) -> Result<Self, Faults> {
        Self::parse(&Source::new("domain", text))
    }
}

impl Problem {
    /// Reads the one problem that `source` defines, for `domain`; a domain beside it is left alone.
    ///
    /// # Errors
    /// All faults of the text, if it has some.
    pub fn parse(source: &Source, domain: &Domain) -> Result<Self, Faults> {
        Self::parse_within(source, domain, &Budget::unlimited())
    }

    /// [`parse`](Self::parse) within a budget that other passes share.
    ///
    /// # Errors
    /// All faults of the text, if it has some; [`Code::LimitReached`] is among them if the budget is spent.
    pub fn parse_within(source: &Source, domain: &Domain, budget: &Budget) -> Result<Self, Faults> {
        Ok(Self::parse_with(source, domain, &ReadOptions::within(budget))?.0)
    }

    /// [`parse`](Self::parse) with options, and the warnings.
    ///
    /// # Errors
    /// All faults of the text, if it has some.
    pub fn parse_with(
        source: &Source,
        domain: &Domain,
        options: &ReadOptions,
    ) -> Result<(Self, Vec<Diagnostic>), Faults> {
        let document = read(source, options);
        let found = document.problems().map(|problem| problem.check(domain));
        one(&document, "problem", found)
    }

    /// Reads the one problem that `text` defines, for `domain`.
    ///
    /// # Errors
    /// All faults of the text, if it has some.
    pub fn from_text(text: &str, domain: &Domain) -> Result<Self, Faults> {
        Self::parse(&Source::new("problem", text), domain)
    }
}

/// The model of the only definition there is, and the warnings.
fn one<T>(
    document: &Document<'_>,
    what: &str,
    mut found: impl ExactSizeIterator<Item = Reading<T>>,
) -> Result<(T, Vec<Diagnostic>), Faults> {
    let mut diagnostics = document.diagnostics.clone();
    let count = found.len();
    if count == 1
        && let Some(mut reading) = found.next()
    {
        diagnostics.append(&mut reading.diagnostics);
        return match reading.value {
            Some(value) => Ok((value, diagnostics)),
            None => Err(Faults::new(diagnostics)),
        };
    }
    let has_errors = diagnostics.iter().any(|d| d.severity() == Severity::Error);
    if !has_errors {
        let mut faults = document.faults();
        report_count(document, what, count, &mut faults);
        diagnostics = faults.into_list();
    }
    Err(Faults::new(diagnostics))
}

fn report_count(document: &Document<'_>, what: &str, count: usize, faults: &mut Diagnostics) {
    let names = match what {
        "domain" => document
            .file
            .domains
            .iter()
            .map(|d| d.name.span)
            .collect::<Vec<_>>(),
        _ => document.file.problems.iter().map(|p| p.name.span).collect(),
    };
    let message = match count {
        0 => format!("the text defines no {what}"),
        n => format!("the text defines {n} {what}s, not one"),
    };
    faults.report(Code::DefinitionCount, message, |mut d| {
        if names.is_empty() {
            d = d.primary(
                Span { start: 0, end: 0 },
                format!("a {what} is written `(define ({what} NAME) …)`"),
            );
        }
        for (index, &span) in names.iter().take(8).enumerate() {
            d = if index == 0 {
                d.primary(span, format!("a {what}"))
            } else {
                d.label(span, format!("another {what}"))
            };
        }
        d
    });
}
