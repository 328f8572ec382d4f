//! `Datalog`: evaluation of the user's Datalog programs.

use std::collections::HashMap;

use herbrand_datalog::{
    EvaluationError, Evaluator, Facts, InvalidProgram, Model, Program, RelationId, Symbol,
};
use herbrand_text::counted;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyString, PyTuple};

use crate::errors::{self, IntoException, OrRaise};

/// A Datalog program with stratified negation, evaluated bottom-up.
///
/// A clause is ``heads :- body.`` with atoms, ``not`` atoms, ``=`` and ``!=``. A clause without body and variables is a
/// fact. Names that begin with a capital letter or ``_`` are variables. All other names, numbers and ``"quoted text"`` are
/// symbols. ``%`` starts a comment.
///
/// Parameters
/// ----------
/// text : str
///     The rules and facts.
///
/// Raises
/// ------
/// DatalogError
///     If the text is not Datalog, a rule is unsafe, or negation is cyclic.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> program = herbrand.Datalog('''
/// ...     path(X, Y) :- edge(X, Y).
/// ...     path(X, Z) :- edge(X, Y), path(Y, Z).
/// ... ''')
/// >>> program.run({"edge": [("a", "b"), ("b", "c")]})["path"]
/// [('a', 'b'), ('b', 'c'), ('a', 'c')]
#[pyclass(frozen, module = "herbrand")]
pub struct Datalog {
    text: String,
    program: Program,
    facts: Facts,
    symbols: HashMap<String, Symbol>,
}

/// A program with additional facts.
struct Extended {
    program: Program,
    facts: Facts,
    symbols: HashMap<String, Symbol>,
}

#[pymethods]
impl Datalog {
    #[new]
    fn new(py: Python<'_>, text: String) -> PyResult<Self> {
        let (program, facts) = Program::parse(&text).or_raise(py)?;
        Evaluator::new(&program).or_raise(py)?;
        let symbols = (0..program.symbols()).map(Symbol::new);
        let symbols = symbols
            .filter_map(|symbol| Some((program.symbol_name(symbol)?.to_owned(), symbol)))
            .collect();
        Ok(Self {
            text,
            program,
            facts,
            symbols,
        })
    }

    /// Returns all facts derivable from the program's facts and the given ones.
    ///
    /// Parameters
    /// ----------
    /// facts : mapping from str to iterables of tuples, optional
    ///     Additional facts by relation. Symbols are strings or integers.
    /// limits : Limits or mapping, optional
    ///     Limits for the evaluation.
    ///
    /// Returns
    /// -------
    /// dict from str to lists of tuples of str
    ///     The tuples of each relation in order of discovery. The key is the name of the relation, or ``name/arity`` if
    ///     relations of different arity have the same name.
    ///
    /// Raises
    /// ------
    /// DatalogError
    ///     If a limit is reached.
    /// TypeError
    ///     If a fact is not a tuple of strings and integers.
    #[pyo3(signature = (facts = None, *, limits = None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        facts: Option<&Bound<'py, PyAny>>,
        limits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limits = crate::limits::limits(limits)?;
        let mut extended = Extended {
            program: self.program.clone(),
            facts: self.facts.clone(),
            symbols: self.symbols.clone(),
        };
        if let Some(facts) = facts {
            for item in facts.call_method0("items")?.try_iter()? {
                let (relation, tuples): (String, Bound<'_, PyAny>) = item?.extract()?;
                for tuple in tuples.try_iter()? {
                    extended.add(&relation, &tuple?)?;
                }
            }
        }
        let Extended { program, facts, .. } = &extended;
        let evaluated = errors::guarded(py, || {
            let evaluator = Evaluator::new(program).map_err(Failure::Program)?;
            evaluator
                .with_limits(limits)
                .run(facts, &mut ())
                .map_err(Failure::Evaluation)
        })?;
        write(py, program, &evaluated.or_raise(py)?)
    }

    /// The strata in the order of evaluation: a list of lists of rules as text.
    #[getter]
    fn strata(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        let evaluator = Evaluator::new(&self.program).or_raise(py)?;
        let text = |rule: &_| self.program.display_rule(*rule).to_string();
        Ok(evaluator
            .strata()
            .strata()
            .iter()
            .map(|stratum| stratum.iter().map(text).collect())
            .collect())
    }

    fn __str__(&self) -> String {
        self.program.to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Datalog: {}, {}>",
            counted(self.program.rules().len(), "rule"),
            counted(self.facts.len(), "fact")
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.text.clone(),))
    }
}

impl Extended {
    fn add(&mut self, relation: &str, tuple: &Bound<'_, PyAny>) -> PyResult<()> {
        if tuple.is_instance_of::<PyString>() || tuple.is_instance_of::<PyBytes>() {
            let text = format!(
                "a fact of `{relation}` is a tuple of symbols, not {}: for one symbol write ({0},)",
                tuple.repr()?
            );
            return Err(PyTypeError::new_err(text));
        }
        let tuple = tuple
            .try_iter()?
            .map(|item| self.symbol(&item?))
            .collect::<PyResult<Vec<_>>>()?;
        let arity = u32::try_from(tuple.len()).unwrap_or(u32::MAX);
        let known = self
            .program
            .relations()
            .iter()
            .position(|one| one.name == relation && one.arity == arity);
        let id = match known.and_then(|index| u32::try_from(index).ok()) {
            Some(index) => RelationId::new(index),
            None => self.program.relation(relation, arity),
        };
        self.facts.add(id, &tuple);
        Ok(())
    }

    fn symbol(&mut self, item: &Bound<'_, PyAny>) -> PyResult<Symbol> {
        if !item.is_instance_of::<PyString>() && !item.is_instance_of::<PyInt>() {
            return Err(PyTypeError::new_err(format!(
                "a symbol is a str or an int, not {item}"
            )));
        }
        let name = item.str()?.to_string();
        if let Some(symbol) = self.symbols.get(&name) {
            return Ok(*symbol);
        }
        let symbol = self.program.symbol(name.clone());
        self.symbols.insert(name, symbol);
        Ok(symbol)
    }
}

enum Failure {
    Program(InvalidProgram),
    Evaluation(EvaluationError),
}

impl IntoException for Failure {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Program(error) => error.exception(py),
            Self::Evaluation(error) => errors::message(py, "DatalogError", &error.to_string()),
        }
    }
}

impl IntoException for InvalidProgram {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::message(py, "DatalogError", &self.to_string())
    }
}

impl IntoException for herbrand_datalog::TextError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::message(py, "DatalogError", &self.to_string())
    }
}

fn write<'py>(py: Python<'py>, program: &Program, model: &Model) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let names: Vec<_> = (0..program.symbols())
        .map(|number| program.symbol_name(Symbol::new(number)).unwrap_or_default())
        .map(|name| PyString::new(py, name))
        .collect();
    for id in program.relation_ids() {
        let relation = &program.relations()[id.index()];
        let shared = program
            .relations()
            .iter()
            .filter(|one| one.name == relation.name)
            .count()
            > 1;
        let name = if shared {
            format!("{}/{}", relation.name, relation.arity)
        } else {
            relation.name.clone()
        };
        let tuples = PyList::empty(py);
        for tuple in model.tuples(id) {
            tuples.append(PyTuple::new(
                py,
                tuple.iter().map(|symbol| &names[symbol.index()]),
            )?)?;
        }
        result.set_item(name, tuples)?;
    }
    Ok(result)
}
