//! Parsing and checking: from [`Source`]s to models.

use std::sync::Arc;

use herbrand_limits::{Budget, Meter, deep};
use herbrand_text::{Mention, ReadOptions, Source, Span};

use crate::check::{InstanceBlock, check_declarations, check_domain, check_instance};
use crate::diagnostic::{Checked, Code, Diagnostic, Diagnostics, Faults};
use crate::mentions::mentions;
use crate::model::{Domain, Instance};
use crate::syntax::{self, ast};

/// Parsed texts whose blocks have not been checked, returned by [`read`]. Domains, non-fluents and instances may be
/// spread over the texts in any way. Check each of [`domains`](Self::domains) and [`instances`](Self::instances) to get
/// models.
pub struct Document<'s> {
    sources: &'s [Source],
    options: ReadOptions,
    files: Vec<ast::File<'s>>,
    diagnostics: Vec<Diagnostic>,
    /// The meter that the memory of the syntax trees is charged to.
    meter: Meter,
}

/// Parses all blocks of `sources` without checking them, in linear time. Never fails: [`Document::diagnostics`] has the
/// syntax faults. [`Document::domains`] and [`Document::instances`] list the blocks, for checking to models. Use this
/// for texts with several domains or instances, or to see warnings. A text that is too long has no blocks, nor have the
/// texts after the budget is exhausted.
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
            // A short text may be finished before the meter checks the clock.
            let _ = faults.meter().check();
            let file = if options.is_too_long(Code::TextTooLong, &mut faults) {
                ast::File::default()
            } else {
                deep(|| syntax::parse(source, &mut faults))
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

impl<'s> Document<'s> {
    /// Returns the syntax faults and warnings of all texts. A block with syntax faults cannot be checked to a model.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the names in all blocks of one text with their places and roles, sorted by place, for editors. `text` is the
    /// index of the text among the sources that were [`read()`]; empty if there is no such text. Faulty texts have names
    /// too, except in parts that the parser skipped. Names are not resolved: a use may lack a declaration, and the name
    /// of a distribution is a [`NameKind::Fluent`](crate::NameKind::Fluent).
    #[must_use]
    pub fn mentions(&self, text: usize) -> Vec<Mention> {
        let pair = self.sources.get(text).zip(self.files.get(text));
        pair.map(|(source, file)| deep(|| mentions(source.text(), file)))
            .unwrap_or_default()
    }

    /// Returns the parsed domains in source order: by text, then by place in the text. Empty if there are none.
    pub fn domains(&self) -> impl Iterator<Item = UncheckedDomain<'_, 's>> {
        self.blocks(|file| &file.domains)
            .map(|(source, syntax)| UncheckedDomain {
                document: self,
                source,
                syntax,
            })
    }

    /// Returns the parsed instances in source order: by text, then by place in the text. Empty if there are none.
    pub fn instances(&self) -> impl Iterator<Item = UncheckedInstance<'_, 's>> {
        self.blocks(|file| &file.instances)
            .map(|(source, syntax)| UncheckedInstance {
                document: self,
                source,
                syntax,
            })
    }

    /// Returns the blocks of one kind in all files.
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

    /// Finds the block of non-fluents called `name`. Prefers a block in the text that uses it.
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

    /// Returns a source for faults that belong to no particular text: the first text, or an empty one.
    fn anywhere(&self) -> Source {
        self.sources
            .first()
            .cloned()
            .unwrap_or_else(|| Source::new("text", ""))
    }
}

/// A parsed domain that has not been checked, returned by [`Document::domains`].
#[derive(Clone, Copy)]
pub struct UncheckedDomain<'d, 's> {
    document: &'d Document<'s>,
    source: &'s Source,
    syntax: &'d ast::Domain<'s>,
}

impl UncheckedDomain<'_, '_> {
    /// Returns the name of the domain.
    #[must_use]
    pub fn name(&self) -> &str {
        self.syntax.name.text
    }

    /// Returns the text that contains the domain.
    #[must_use]
    pub fn source(&self) -> &Source {
        self.source
    }

    /// Checks the domain: resolves names, ranges and dependencies. All semantic faults and warnings are reported
    /// together; with an error, there is no model. The syntax faults are in [`Document::diagnostics`], but they leave
    /// no model either. If only formulas have faults, [`declared`](herbrand_text::Checked::declared) is the domain without
    /// any. Pass the model in an [`Arc`] to [`UncheckedInstance::check`].
    #[must_use]
    pub fn check(&self) -> Checked<Domain> {
        let mut faults = self.document.faults(self.source);
        let domain = deep(|| check_domain(self.syntax, self.source, &mut faults));
        if faults.errors() == 0 || self.syntax.faulty {
            return Checked {
                value: (!self.syntax.faulty).then_some(domain),
                declared: None,
                diagnostics: faults.into_list(),
            };
        }
        let mut own = self.document.faults(self.source);
        let declared = deep(|| check_declarations(self.syntax, self.source, &mut own));
        Checked {
            value: None,
            declared: (own.errors() == 0).then_some(declared),
            diagnostics: faults.into_list(),
        }
    }
}

/// A parsed instance that has not been checked, returned by [`Document::instances`].
#[derive(Clone, Copy)]
pub struct UncheckedInstance<'d, 's> {
    document: &'d Document<'s>,
    source: &'s Source,
    syntax: &'d ast::Instance<'s>,
}

impl UncheckedInstance<'_, '_> {
    /// Returns the name of the instance.
    #[must_use]
    pub fn name(&self) -> &str {
        self.syntax.name.text
    }

    /// Returns the text that contains the instance.
    #[must_use]
    pub const fn source(&self) -> &Source {
        self.source
    }

    /// Returns the name of the domain that the instance is for; `None` if it states none.
    #[must_use]
    pub fn domain_name(&self) -> Option<&str> {
        self.syntax.domain.map(|word| word.text)
    }

    /// Checks the instance against `domain`, together with the block of non-fluents that it uses, which must be in the
    /// same document; there is no model if that block is missing. An instance that names another domain gets a warning.
    #[must_use]
    pub fn check(&self, domain: &Arc<Domain>) -> Checked<Instance> {
        let document = self.document;
        let mut own = document.faults(self.source);
        let mut parts = Vec::new();
        if let Some(uses) = self.syntax.uses {
            let used = document
                .non_fluents(uses.text, self.source)
                .or_else(|| self.missing_non_fluents(uses, &mut own));
            match used {
                Some((source, syntax)) => parts.push(InstanceBlock {
                    syntax,
                    source,
                    faults: document.faults(source),
                }),
                // Without its objects the instance cannot be checked.
                None => {
                    return Checked {
                        value: None,
                        declared: None,
                        diagnostics: own.into_list(),
                    };
                }
            }
        }
        parts.push(InstanceBlock {
            syntax: self.syntax,
            source: self.source,
            faults: own,
        });
        let instance = deep(|| check_instance(domain, &mut parts));
        let mut diagnostics = Vec::new();
        let mut accepted = true;
        for part in parts {
            accepted &= !part.syntax.faulty && part.faults.errors() == 0;
            diagnostics.append(&mut part.faults.into_list());
        }
        Checked {
            value: instance.filter(|_| accepted),
            declared: None,
            diagnostics,
        }
    }

    /// Reports that a block is missing. Returns the block with the most similar name, if there is one.
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
    /// Parses and checks the domain that `sources` define. There must be exactly one. Other blocks are ignored
    /// unless their syntax is wrong.
    ///
    /// # Errors
    /// Fails with all faults of the domain and of the syntax, or if there is not exactly one domain.
    pub fn parse(sources: &[Source]) -> Result<Self, Faults> {
        Self::parse_with_warnings(sources).map(|(domain, _)| domain)
    }

    /// Like [`parse`](Self::parse), but also returns the warnings.
    ///
    /// # Errors
    /// Fails like [`parse`](Self::parse).
    pub fn parse_with_warnings(sources: &[Source]) -> Result<(Self, Vec<Diagnostic>), Faults> {
        Self::parse_within(sources, &Budget::unlimited())
    }

    /// Like [`parse_with_warnings`](Self::parse_with_warnings), within a budget of time and memory that may be shared with
    /// other passes.
    ///
    /// # Errors
    /// Fails like [`parse`](Self::parse). The faults include [`Code::LimitReached`] if the budget is exhausted.
    pub fn parse_within(sources: &[Source], budget: &Budget) -> Result<(Self, Vec<Diagnostic>), Faults> {
        let document = read(sources, &ReadOptions::within(budget));
        let (domain, diagnostics) = only_domain(&document)?;
        if has_errors(&diagnostics) {
            return Err(faults(diagnostics));
        }
        Ok((domain, diagnostics))
    }

    /// Parses and checks the domain that `text` defines. There must be exactly one. Diagnostics use `domain` as the
    /// name of the text, and warnings are dropped.
    ///
    /// # Errors
    /// Fails with all faults of the domain, or if there is not exactly one domain.
    pub fn from_text(text: &str) -> Result<Self, Faults> {
        Self::parse(&[Source::new("domain", text)])
    }
}

impl Instance {
    /// Parses and checks the instance of `domain` that `sources` define. There must be exactly one. Domains in `sources` are
    /// ignored unless their syntax is wrong.
    ///
    /// # Errors
    /// Fails with all faults of the instance and of the syntax, or if there is not exactly one instance.
    pub fn parse(sources: &[Source], domain: &Arc<Domain>) -> Result<Self, Faults> {
        Self::parse_within(sources, domain, &Budget::unlimited())
    }

    /// Like [`parse`](Self::parse), within a budget of time and memory that may be shared with other passes.
    ///
    /// # Errors
    /// Fails like [`parse`](Self::parse). The faults include [`Code::LimitReached`] if the budget is exhausted.
    pub fn parse_within(sources: &[Source], domain: &Arc<Domain>, budget: &Budget) -> Result<Self, Faults> {
        only_instance(&read(sources, &ReadOptions::within(budget)), domain)
    }

    /// Parses and checks the domain and the instance that `sources` define together. There must be exactly one of each.
    /// Warnings are dropped. [`domain_and_instances`] reads several instances.
    ///
    /// # Errors
    /// Fails with all faults of the domain, or else with all faults of the instance.
    pub fn load(sources: &[Source]) -> Result<Self, Faults> {
        Self::load_within(sources, &Budget::unlimited())
    }

    /// Like [`load`](Self::load), within a budget of time and memory that may be shared with other passes.
    ///
    /// # Errors
    /// Fails like [`load`](Self::load). The faults include [`Code::LimitReached`] if the budget is exhausted.
    pub fn load_within(sources: &[Source], budget: &Budget) -> Result<Self, Faults> {
        let document = read(sources, &ReadOptions::within(budget));
        let (domain, _) = only_domain(&document)?;
        only_instance(&document, &Arc::new(domain))
    }

    /// Parses and checks the domain and the instance that the two texts define together. There must be exactly one of
    /// each. Diagnostics use `domain` and `instance` as the names of the texts.
    ///
    /// # Errors
    /// Fails like [`load`](Self::load).
    pub fn from_text(domain: &str, instance: &str) -> Result<Self, Faults> {
        Self::load(&[Source::new("domain", domain), Source::new("instance", instance)])
    }
}

/// Parses and checks the domain that `sources` define, which must be exactly one, and all instances, which are returned
/// in source order. There may be no instance. Warnings are dropped.
///
/// # Errors
/// Fails if there is not exactly one domain, and with all faults of the domain and, if the domain has none, of the
/// instances. The faults include [`Code::LimitReached`] if the budget is exhausted.
pub fn domain_and_instances(
    sources: &[Source],
    budget: &Budget,
) -> Result<(Arc<Domain>, Vec<Instance>), Faults> {
    let document = read(sources, &ReadOptions::within(budget));
    let (domain, mut diagnostics) = only_domain(&document)?;
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

/// Collects all faults, but an exhausted budget only once, although every part of the texts reports it.
fn faults(mut diagnostics: Vec<Diagnostic>) -> Faults {
    let mut told = false;
    diagnostics.retain(|fault| fault.code() != Code::LimitReached || !std::mem::replace(&mut told, true));
    Faults::new(diagnostics)
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    let mut severities = diagnostics.iter().map(Diagnostic::severity);
    severities.any(|severity| severity == herbrand_text::Severity::Error)
}

/// Returns the only domain, with warnings and with the syntax errors of other blocks. Fails if there is not exactly one
/// domain.
fn only_domain(document: &Document<'_>) -> Result<(Domain, Vec<Diagnostic>), Faults> {
    let names = document.domains().map(|one| (one.source, one.syntax.name.span));
    let found = document.domains().map(|one| one.check());
    one(document, "domain", &names.collect::<Vec<_>>(), found.collect())
}

/// Returns the only instance. Fails if there is not exactly one, or if the texts have a syntax error anywhere.
fn only_instance(document: &Document<'_>, domain: &Arc<Domain>) -> Result<Instance, Faults> {
    let names = document.instances().map(|one| (one.source, one.syntax.name.span));
    let found = document.instances().map(|one| one.check(domain));
    let (instance, diagnostics) = one(document, "instance", &names.collect::<Vec<_>>(), found.collect())?;
    if has_errors(&diagnostics) {
        return Err(faults(diagnostics));
    }
    Ok(instance)
}

/// Returns the model of the only block, with warnings and with the syntax errors of other parts of the texts. Fails if there
/// is not exactly one block.
fn one<T>(
    document: &Document<'_>,
    what: &str,
    names: &[(&Source, Span)],
    mut found: Vec<Checked<T>>,
) -> Result<(T, Vec<Diagnostic>), Faults> {
    let mut diagnostics = document.diagnostics.clone();
    if let ([_], Some(mut reading)) = (names, found.pop()) {
        diagnostics.append(&mut reading.diagnostics);
        return match reading.value {
            Some(value) => Ok((value, diagnostics)),
            None => Err(faults(diagnostics)),
        };
    }
    if !has_errors(&diagnostics) {
        let source = names
            .first()
            .map_or_else(|| document.anywhere(), |(source, _)| (*source).clone());
        let mut faults = Diagnostics::new(source, document.options.strict);
        let how = format!("expected `{what} NAME {{ … }}`");
        faults.report_count(Code::DefinitionCount, what, &how, names);
        diagnostics.append(&mut faults.into_list());
    }
    Err(faults(diagnostics))
}
