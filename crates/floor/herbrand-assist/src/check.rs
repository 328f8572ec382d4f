//! Checks a file: its faults and warnings, with edits that mend them.

use std::sync::Arc;

use crate::language::Language;
use gen_lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    Range, Uri,
};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::Code::{UnreadDerived, UnreadName};
use herbrand_text::{Code, Label, NameKind, Role, Severity, Source, Span};

use crate::documents::TextFile;
use crate::fixes::{Fix, fixes};
use crate::workspace::Workspace;

/// A fault or warning of a file, as the editor shows it, with the edits that mend it. [`check`] returns them, and
/// [`actions`](crate::feature::actions::actions) makes the edits an editor's.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The fault, in the form of the protocol.
    pub diagnostic: Diagnostic,
    pub(crate) fixes: Vec<Fix>,
}

impl Finding {
    /// Makes a fault that has no edits, for the faults of other files, such as settings.
    #[must_use]
    pub const fn new(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic,
            fixes: Vec::new(),
        }
    }
}

/// The name of the server in diagnostics, their `source`.
pub const NAME: &str = "herbrand";

/// Returns the faults and warnings of a file in PDDL or RDDL, sorted by place; empty if it has none. The domain of a
/// problem comes from the workspace ([`Workspace::domain_of`]); a problem whose domain is not there or is faulty gets a
/// remark that says so. The file need not be in the workspace itself.
///
/// # Errors
/// Fails if the budget is cancelled or exhausted: then the findings are not complete.
pub fn check(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    budget: &Budget,
) -> Result<Vec<Finding>, BudgetExhausted> {
    let mut list = Findings {
        workspace,
        file,
        found: Vec::new(),
    };
    match file.language {
        Language::Pddl => list.pddl(budget),
        Language::Rddl => list.rddl(budget),
    }
    budget.check("checking", 0)?;
    list.unread();
    let mut found = list.found;
    let place = |range: Range| (range.start, range.end);
    found.sort_by(|a, b| {
        let key = |one: &Finding| (place(one.diagnostic.range), format!("{:?}", one.diagnostic.code));
        key(a).cmp(&key(b))
    });
    found.dedup();
    Ok(found)
}

/// Returns the diagnostics of another search, such as a search that grounds problems, as findings of this file. A
/// diagnostic whose places are all in other files is shown at the name of the problem or domain.
pub fn shown(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    diagnostics: &[herbrand_pddl::Diagnostic],
) -> Vec<Finding> {
    let mut list = Findings {
        workspace,
        file,
        found: Vec::new(),
    };
    list.add(diagnostics);
    list.found
}

struct Findings<'w> {
    workspace: &'w Workspace,
    file: &'w Arc<TextFile>,
    found: Vec<Finding>,
}

impl Findings<'_> {
    fn pddl(&mut self, budget: &Budget) {
        let options = herbrand_pddl::ReadOptions::within(budget);
        let file = self.file;
        let document = herbrand_pddl::read(&file.source, &options);
        self.add(document.diagnostics());
        let mut own = Vec::new();
        for domain in document.domains() {
            let checked = domain.check();
            self.add(&checked.diagnostics);
            if let Some(domain) = &checked.value {
                self.add(&herbrand_pddl::doubts(domain, false));
            }
            let is_sound = checked.value.is_some();
            own.push((domain.name(), checked.value.or(checked.declared), is_sound));
        }
        if document.problems().len() == 0 {
            return;
        }
        let elsewhere = if own.is_empty() {
            self.workspace.domain_of(file)
        } else {
            None
        };
        if let Some(other) = &elsewhere {
            let document = herbrand_pddl::read(&other.source, &options);
            for domain in document.domains() {
                let checked = domain.check();
                let is_sound = checked.value.is_some();
                own.push((domain.name(), checked.value.or(checked.declared), is_sound));
            }
        }
        for problem in document.problems() {
            let name = problem.domain_name();
            let named = own.iter().find(|(own, ..)| Some(own) == name.as_ref());
            match named.or_else(|| own.first()) {
                Some((_, Some(domain), is_sound)) => {
                    let checked = problem.check(domain);
                    self.add(&checked.diagnostics);
                    self.add(&problem.missing_sections());
                    if let (Some(problem), true) = (&checked.value, is_sound) {
                        self.add(&herbrand_pddl::never_true(domain, problem, false));
                        self.add(&herbrand_pddl::undefined_values(domain, problem, false));
                        self.add(&herbrand_pddl::start_doubts(domain, problem, false));
                    }
                }
                Some((name, None, _)) => {
                    self.unchecked(format!(
                        "the declarations of the domain `{name}` have faults, so this is not checked"
                    ));
                }
                None => self.unchecked(self.no_domain(name.as_deref())),
            }
        }
        if elsewhere.is_some() {
            self.ambiguous();
        }
    }

    fn rddl(&mut self, budget: &Budget) {
        let options = herbrand_rddl::ReadOptions::within(budget);
        let scope = self.workspace.scope(self.file);
        let mut sources = vec![self.file.source.clone()];
        let others = scope.iter().filter(|other| !Arc::ptr_eq(other, self.file));
        sources.extend(others.map(|other| other.source.clone()));
        let document = herbrand_rddl::read(&sources, &options);
        self.add(document.diagnostics());
        let mut domains = Vec::new();
        for domain in document.domains() {
            let checked = domain.check();
            self.add(&checked.diagnostics);
            let known = checked.value.or(checked.declared);
            domains.push((domain.name().to_owned(), known.map(Arc::new)));
        }
        let is_own = |source: &Source| source.name() == self.file.uri();
        for instance in document.instances().filter(|instance| is_own(instance.source())) {
            let name = instance.domain_name();
            let named = domains.iter().find(|(own, _)| Some(own.as_str()) == name);
            match named.or_else(|| domains.first()) {
                Some((_, Some(domain))) => self.add(&instance.check(domain).diagnostics),
                Some((name, None)) => {
                    self.unchecked(format!(
                        "the declarations of the domain `{name}` have faults, so this is not checked"
                    ));
                }
                None => self.unchecked(self.no_domain(name)),
            }
        }
    }

    /// Adds the diagnostics that concern this file.
    fn add<C: Code>(&mut self, diagnostics: &[herbrand_text::Diagnostic<C>]) {
        for diagnostic in diagnostics {
            let is_own = |label: &&Label| label.source().name() == self.file.uri();
            let labels = diagnostic.labels();
            let own = labels.iter().find(|label| is_own(label) && label.is_primary());
            let own = own.or_else(|| labels.iter().find(is_own));
            // An error in another file is shown there. A warning without a place here is about this problem.
            if own.is_none() && !labels.is_empty() && diagnostic.severity() == Severity::Error {
                continue;
            }
            let span = own.map_or_else(|| self.title(), Label::span);
            let shown = self.shown(diagnostic, own, span);
            self.found.push(Finding {
                fixes: fixes(self.workspace, self.file, diagnostic, span),
                diagnostic: shown,
            });
        }
    }

    /// Returns a diagnostic in the form of the protocol.
    fn shown<C: Code>(
        &self,
        diagnostic: &herbrand_text::Diagnostic<C>,
        own: Option<&Label>,
        span: Span,
    ) -> Diagnostic {
        let mut message = diagnostic.message().to_owned();
        let mut line = |text: &str| {
            message.push('\n');
            message.push_str(text);
        };
        own.map(Label::text)
            .filter(|text| !text.is_empty())
            .into_iter()
            .for_each(&mut line);
        diagnostic.notes().iter().for_each(|note| line(note));
        diagnostic.help().into_iter().for_each(&mut line);
        let others = diagnostic
            .labels()
            .iter()
            .filter(|label| !own.is_some_and(|own| std::ptr::eq(own, *label)));
        let related: Vec<_> = others.filter_map(|label| self.related(label)).collect();
        let code = diagnostic.code().as_str();
        let is_unread = [UnreadName, UnreadDerived].iter().any(|own| own.as_str() == code);
        Diagnostic {
            range: self.file.range(span),
            severity: Some(match diagnostic.severity() {
                Severity::Error => DiagnosticSeverity::Error,
                // Many sound domains declare more than they read.
                Severity::Warning if code == UnreadName.as_str() => DiagnosticSeverity::Hint,
                Severity::Warning => DiagnosticSeverity::Warning,
            }),
            tags: is_unread.then(|| vec![DiagnosticTag::Unnecessary]),
            code: Some(code.to_owned().into()),
            code_description: explanation(code),
            source: Some(NAME.to_owned()),
            message: message.into(),
            related_information: (!related.is_empty()).then_some(related),
            ..plain()
        }
    }

    fn related(&self, label: &Label) -> Option<DiagnosticRelatedInformation> {
        let uri = label.source().name();
        let file = if uri == self.file.uri() {
            self.file
        } else {
            self.workspace.file(uri)?
        };
        Some(DiagnosticRelatedInformation {
            location: Location {
                uri: Uri(uri.to_owned()),
                range: file.range(label.span()),
            },
            message: label.text().to_owned(),
        })
    }

    /// Returns the place of the name of the first definition, for faults of the whole file.
    fn title(&self) -> Span {
        let declares = self.file.mentions().iter().find(|one| {
            one.role == Role::Declares
                && matches!(
                    one.kind,
                    NameKind::Problem | NameKind::Domain | NameKind::NonFluents
                )
        });
        declares.map_or(Span { start: 0, end: 0 }, |one| one.span)
    }

    /// Returns the reason why the domain of this file, which the workspace does not know, is not known.
    fn no_domain(&self, name: Option<&str>) -> String {
        let Some(name) = name else {
            return "the problem names no domain".to_owned();
        };
        match self.workspace.definers(self.file).1.as_slice() {
            [] => format!("no open file and no file of the workspace defines the domain `{name}`"),
            several => format!(
                "several files define the domain `{name}`, and none of them is beside this file or in the folder above: {}",
                listed(several)
            ),
        }
    }

    /// Says which file is taken as the domain, if several in one folder define it.
    fn ambiguous(&mut self) {
        let (_, definers) = self.workspace.definers(self.file);
        if let [first, _, ..] = definers.as_slice() {
            let name = self.file.named_domain().unwrap_or_default();
            let message = format!(
                "several files here define the domain `{name}`: {}; `{}` is taken",
                listed(&definers),
                file_name(first)
            );
            self.remark(DiagnosticSeverity::Information, message);
        }
    }

    fn unchecked(&mut self, message: String) {
        self.remark(DiagnosticSeverity::Warning, message);
    }

    /// Adds a remark at the name of the domain that this file names.
    fn remark(&mut self, severity: DiagnosticSeverity, message: String) {
        let named = self.file.of_kind(NameKind::Domain, Role::Reads).next();
        let span = named.map_or_else(|| self.title(), |one| one.span);
        self.found.push(Finding {
            diagnostic: Diagnostic {
                range: self.file.range(span),
                severity: Some(severity),
                source: Some(NAME.to_owned()),
                message: message.into(),
                ..plain()
            },
            fixes: Vec::new(),
        });
    }

    /// Adds the predicates, functions and types of a domain that no file reads.
    fn unread(&mut self) {
        if self.file.domains().is_empty() || self.file.language != Language::Pddl {
            return;
        }
        let family = self.workspace.family(self.file);
        let texts = family.iter().map(|file| (&file.source, file.mentions()));
        let texts: Vec<_> = texts.collect();
        self.add(&herbrand_pddl::unread(&texts, false));
    }
}

/// Returns the names of files, at most three of them.
fn listed(files: &[Arc<TextFile>]) -> String {
    let names: Vec<_> = files
        .iter()
        .take(3)
        .map(|file| format!("`{}`", file_name(file)))
        .collect();
    let rest = if files.len() > 3 { ", …" } else { "" };
    names.join(", ") + rest
}

/// Returns the last two parts of the path of a file.
fn file_name(file: &TextFile) -> String {
    let Some(path) = &file.path else {
        return file.uri().to_owned();
    };
    let parts: Vec<_> = path
        .iter()
        .rev()
        .take(2)
        .map(|part| part.to_string_lossy())
        .collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// Returns the address under which editors show the explanation of a code. The server answers requests for its content.
fn explanation(code: &str) -> Option<CodeDescription> {
    Some(CodeDescription {
        href: Uri(format!("{}{code}", crate::explain::SCHEME)),
    })
}

/// Returns a diagnostic without content.
fn plain() -> Diagnostic {
    Diagnostic {
        range: Range::default(),
        severity: None,
        code: None,
        code_description: None,
        source: None,
        message: String::new().into(),
        tags: None,
        related_information: None,
        data: None,
    }
}
