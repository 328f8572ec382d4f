//! Reading texts: from [`Source`]s to checked models.

use std::sync::Arc;

use herbrand_limits::{Budget, Meter};
use herbrand_text::{Source, Span};

use crate::check::{Part, check_domain, check_instance};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Faults};
use crate::syntax::{self, ast};
use crate::{Domain, Instance};

/// How texts are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Whether warnings are errors.
    pub strict: bool,
    /// The longest text that is read, in bytes.
    pub max_bytes: u32,
    /// What reading and checking may use; a text that takes more is refused with [`Code::LimitReached`].
    pub budget: Budget,
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

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            strict: false,
            max_bytes: u32::MAX,
            budget: Budget::unlimited(),
        }
    }
}

/// What came of checking a block.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// The model, unless there are errors.
    pub value: Option<T>,
    /// All faults and warnings of the block.
    pub diagnostics: Vec<Diagnostic>,
}

/// Texts whose blocks were read, and not yet checked. Domains, non-fluents and instances may be spread over them in any way.
pub struct Document<'s> {
    sources: &'s [Source],
    options: ReadOptions,
    files: Vec<ast::File<'s>>,
    diagnostics: Vec<Diagnostic>,
    /// What was read is charged here.
    meter: Meter,
}

/// Reads all blocks of `sources`, in time linear in their length.
#[must_use]
pub fn read<'s>(sources: &'s [Source], options: &ReadOptions) -> Document<'s> {
    let mut diagnostics = Vec::new();
    let mut meter = options.budget.meter("reading");
    let files = sources
        .iter()
        .map(|source| {
            if meter.is_spent() {
                return ast::File::default();
            }
            let mut faults = Diagnostics::within(source.clone(), options.strict, meter.clone());
            faults.charge(source.text().len());
            // Short texts may end before the clock is looked at.
            let _ = faults.meter().check();
            let file = if source.text().len() > options.max_bytes as usize {
                report_length(source, options.max_bytes, &mut faults);
                ast::File::default()
            } else {
                syntax::parse(source, &mut faults)
            };
            meter = faults.meter().clone();
            diagnostics.append(&mut faults.into_list());
            file
        })
        .collect();
    Document {
        sources,
        options: options.clone(),
        files,
        diagnostics,
        meter,
    }
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
    /// The faults of the syntax. A block that has some checks to no model.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The domains, in the order written.
    pub fn domains(&self) -> impl Iterator<Item = UncheckedDomain<'_, 's>> {
        self.blocks(|file| &file.domains)
            .map(|(source, syntax)| UncheckedDomain {
                document: self,
                source,
                syntax,
            })
    }

    /// The instances, in the order written.
    pub fn instances(&self) -> impl Iterator<Item = UncheckedInstance<'_, 's>> {
        self.blocks(|file| &file.instances)
            .map(|(source, syntax)| UncheckedInstance {
                document: self,
                source,
                syntax,
            })
    }

    /// The blocks of one kind in all files.
    fn blocks<'d, T>(
        &'d self,
        of: impl Fn(&'d ast::File<'s>) -> &'d [T],
    ) -> impl Iterator<Item = (&'s Source, &'d T)>
    where
        's: 'd,
        T: 'd,
    {
        let pairs = self.sources.iter().zip(&self.files);
        pairs.flat_map(move |(source, file)| of(file).iter().map(move |block| (source, block)))
    }

    /// The block of non-fluents called `name`; of several, that of the text that it is used in.
    fn non_fluents(&self, name: &str, used_in: &Source) -> Option<(&'s Source, &ast::Instance<'s>)> {
        let blocks = || {
            let blocks = self.blocks(|file| &file.non_fluents);
            blocks.filter(|(_, block)| block.name.text == name)
        };
        let near = blocks().find(|(source, _)| std::ptr::eq(*source, used_in));
        near.or_else(|| blocks().next())
    }

    fn faults(&self, source: &Source) -> Diagnostics {
        Diagnostics::within(source.clone(), self.options.strict, self.meter.clone())
    }

    /// Whether a text names a block of instances or non-fluents that is no domain.
    fn anywhere(&self) -> Source {
        self.sources
            .first()
            .cloned()
            .unwrap_or_else(|| Source::new("text", ""))
    }
}

/// A domain that was read, and not yet checked.
#[derive(Clone, Copy)]
pub struct UncheckedDomain<'d, 's> {
    document: &'d Document<'s>,
    source: &'s Source,
    syntax: &'d ast::Domain<'s>,
}

impl UncheckedDomain<'_, '_> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.syntax.name.text
    }

    /// The text that it is in.
    #[must_use]
    pub fn source(&self) -> &Source {
        self.source
    }

    /// Resolves its names and checks ranges and dependencies.
    #[must_use]
    pub fn check(&self) -> Reading<Domain> {
        let mut faults = self.document.faults(self.source);
        let domain = check_domain(self.syntax, self.source, &mut faults);
        let accepted = !self.syntax.faulty && faults.errors() == 0;
        Reading {
            value: accepted.then_some(domain),
            diagnostics: faults.into_list(),
        }
    }
}

/// An instance that was read, and not yet checked.
#[derive(Clone, Copy)]
pub struct UncheckedInstance<'d, 's> {
    document: &'d Document<'s>,
    source: &'s Source,
    syntax: &'d ast::Instance<'s>,
}

impl UncheckedInstance<'_, '_> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.syntax.name.text
    }

    /// The text that it is in.
    #[must_use]
    pub const fn source(&self) -> &Source {
        self.source
    }

    /// The name of its domain, if it states one.
    #[must_use]
    pub fn domain_name(&self) -> Option<&str> {
        self.syntax.domain.map(|word| word.text)
    }

    /// Resolves its names against `domain`, with the non-fluents that it uses.
    #[must_use]
    pub fn check(&self, domain: &Arc<Domain>) -> Reading<Instance> {
        let document = self.document;
        let mut own = document.faults(self.source);
        let mut parts = Vec::new();
        if let Some(uses) = self.syntax.uses {
            let used = document
                .non_fluents(uses.text, self.source)
                .or_else(|| self.missing_non_fluents(uses, &mut own));
            match used {
                Some((source, syntax)) => parts.push(Part {
                    syntax,
                    source,
                    faults: document.faults(source),
                }),
                // Without its objects there is nothing to check.
                None => {
                    return Reading {
                        value: None,
                        diagnostics: own.into_list(),
                    };
                }
            }
        }
        parts.push(Part {
            syntax: self.syntax,
            source: self.source,
            faults: own,
        });
        let instance = check_instance(domain, &mut parts);
        let mut diagnostics = Vec::new();
        let mut accepted = true;
        for part in parts {
            accepted &= !part.syntax.faulty && part.faults.errors() == 0;
            diagnostics.append(&mut part.faults.into_list());
        }
        Reading {
            value: instance.filter(|_| accepted),
            diagnostics,
        }
    }

    /// Reports that there is no such block, and returns the one that may be meant.
    fn missing_non_fluents(
        &self,
        uses: ast::Word<'_>,
        faults: &mut Diagnostics,
    ) -> Option<(&Source, &ast::Instance<'_>)> {
        let blocks = self.document.blocks(|file| &file.non_fluents);
        let meant = herbrand_text::nearest(uses.text, blocks.map(|(_, block)| block.name.text));
        faults.report(
            Code::MissingBlock,
            format!("there are no non-fluents called `{}`", uses.text),
            |d| {
                let d = d.primary(uses.span, "used here");
                match meant {
                    Some(_) => d.suggest(meant),
                    None => d.help(format!("add a block `non-fluents {} {{ … }}`", uses.text)),
                }
            },
        );
        self.document.non_fluents(meant?, self.source)
    }
}

impl Domain {
    /// Reads the one domain that `sources` define; other blocks are left alone.
    ///
    /// # Errors
    /// All faults of the texts, if they have some.
    pub fn parse(sources: &[Source]) -> Result<Self, Faults> {
        Self::parse_with_warnings(sources).map(|(domain, _)| domain)
    }

    /// Reads the one domain that `sources` define, with what is warned of.
    ///
    /// # Errors
    /// All faults of the texts, if they have some.
    pub fn parse_with_warnings(sources: &[Source]) -> Result<(Self, Vec<Diagnostic>), Faults> {
        Self::parse_within(sources, &Budget::unlimited())
    }

    /// Reads the one domain that `sources` define within a budget that other passes share, with what is warned of.
    ///
    /// # Errors
    /// All faults of the texts, if they have some; [`Code::LimitReached`] is among them if the budget is spent.
    pub fn parse_within(sources: &[Source], budget: &Budget) -> Result<(Self, Vec<Diagnostic>), Faults> {
        let document = read(sources, &ReadOptions::within(budget));
        let names: Vec<(&Source, Span)> = document
            .domains()
            .map(|one| (one.source, one.syntax.name.span))
            .collect();
        let found = document.domains().map(|one| one.check()).collect();
        one(&document, "domain", &names, found)
    }

    /// Reads the one domain that `text` defines.
    ///
    /// # Errors
    /// All faults of the text, if it has some.
    pub fn from_text(text: &str) -> Result<Self, Faults> {
        Self::parse(&[Source::new("domain", text)])
    }
}

impl Instance {
    /// Reads the one instance that `sources` define, for `domain`; domains beside it are left alone.
    ///
    /// # Errors
    /// All faults of the texts, if they have some.
    pub fn parse(sources: &[Source], domain: &Arc<Domain>) -> Result<Self, Faults> {
        Self::parse_within(sources, domain, &Budget::unlimited())
    }

    /// [`parse`](Self::parse) within a budget that other passes share.
    ///
    /// # Errors
    /// All faults of the texts, if they have some; [`Code::LimitReached`] is among them if the budget is spent.
    pub fn parse_within(sources: &[Source], domain: &Arc<Domain>, budget: &Budget) -> Result<Self, Faults> {
        let document = read(sources, &ReadOptions::within(budget));
        let names: Vec<(&Source, Span)> = document
            .instances()
            .map(|one| (one.source, one.syntax.name.span))
            .collect();
        let found = document.instances().map(|one| one.check(domain)).collect();
        one(&document, "instance", &names, found).map(|(instance, _)| instance)
    }

    /// Reads the one domain and the one instance that `sources` define together.
    ///
    /// # Errors
    /// All faults of the texts, if they have some.
    pub fn load(sources: &[Source]) -> Result<Self, Faults> {
        Self::load_within(sources, &Budget::unlimited())
    }

    /// [`load`](Self::load) within a budget that other passes share.
    ///
    /// # Errors
    /// All faults of the texts, if they have some; [`Code::LimitReached`] is among them if the budget is spent.
    pub fn load_within(sources: &[Source], budget: &Budget) -> Result<Self, Faults> {
        let (domain, _) = Domain::parse_within(sources, budget)?;
        Self::parse_within(sources, &Arc::new(domain), budget)
    }

    /// Reads the one domain and the one instance that the texts define together.
    ///
    /// # Errors
    /// All faults of the texts, if they have some.
    pub fn from_text(domain: &str, instance: &str) -> Result<Self, Faults> {
        Self::load(&[Source::new("domain", domain), Source::new("instance", instance)])
    }
}

/// The one domain that `sources` define, and all instances, in the order written.
pub(crate) fn domain_and_instances(
    sources: &[Source],
    budget: &Budget,
) -> Result<(Arc<Domain>, Vec<Instance>), Faults> {
    let document = read(sources, &ReadOptions::within(budget));
    let names: Vec<(&Source, Span)> = document
        .domains()
        .map(|one| (one.source, one.syntax.name.span))
        .collect();
    let found = document.domains().map(|one| one.check()).collect();
    let (domain, mut diagnostics) = one(&document, "domain", &names, found)?;
    let domain = Arc::new(domain);
    let mut instances = Vec::new();
    let mut accepted = !has_errors(&diagnostics);
    for unchecked in document.instances() {
        let mut reading = unchecked.check(&domain);
        diagnostics.append(&mut reading.diagnostics);
        accepted &= reading.value.is_some();
        instances.extend(reading.value);
    }
    if accepted {
        Ok((domain, instances))
    } else {
        Err(faults(diagnostics))
    }
}

/// All faults, with a spent budget told once: every part of the texts finds it out.
fn faults(mut diagnostics: Vec<Diagnostic>) -> Faults {
    let mut told = false;
    diagnostics.retain(|fault| fault.code() != Code::LimitReached || !std::mem::replace(&mut told, true));
    Faults::new(diagnostics)
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    let mut severities = diagnostics.iter().map(Diagnostic::severity);
    severities.any(|severity| severity == herbrand_text::Severity::Error)
}

/// The model of the only block there is, with what is warned of.
fn one<T>(
    document: &Document<'_>,
    what: &str,
    names: &[(&Source, Span)],
    mut found: Vec<Reading<T>>,
) -> Result<(T, Vec<Diagnostic>), Faults> {
    let mut diagnostics = document.diagnostics.clone();
    if let ([_], Some(mut reading)) = (names, found.pop()) {
        diagnostics.append(&mut reading.diagnostics);
        return reading
            .value
            .map(|value| (value, diagnostics.clone()))
            .ok_or_else(|| faults(diagnostics));
    }
    if !has_errors(&diagnostics) {
        diagnostics.append(&mut report_count(document, what, names));
    }
    Err(faults(diagnostics))
}

fn report_count(document: &Document<'_>, what: &str, names: &[(&Source, Span)]) -> Vec<Diagnostic> {
    let message = match names.len() {
        0 => format!("the text defines no {what}"),
        n => format!("the text defines {n} {what}s, not one"),
    };
    let source = names
        .first()
        .map_or_else(|| document.anywhere(), |(source, _)| (*source).clone());
    let mut faults = Diagnostics::new(source, document.options.strict);
    faults.report(Code::DefinitionCount, message, |d| match names {
        [] => d.primary(
            Span { start: 0, end: 0 },
            format!("expected `{what} NAME {{ … }}`"),
        ),
        [(_, first), rest @ ..] => {
            let d = d.primary(*first, format!("one {what}"));
            rest.iter().take(8).fold(d, |d, (source, span)| {
                d.label_in(source, *span, format!("another {what}"))
            })
        }
    });
    faults.into_list()
}
