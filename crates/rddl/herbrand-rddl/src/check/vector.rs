//! Checks vector distributions and matrix functions.

use herbrand_text::{Span, counted};

use super::formula::Context;
use crate::diagnostic::Code;
use crate::model::{Expression, Lambda, Matrix, Node, Range, Time, TypeId, VariableId, Vector};
use crate::syntax::ast::{self, Node as Syntax, Word};

impl Context<'_, '_> {
    /// `MultivariateNormal[?i](m(_), C(_, _))`
    pub(super) fn vector(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        indices: &[ast::Expression<'_>],
        parameters: &[ast::Expression<'_>],
    ) -> Option<Expression> {
        let vector = Vector::find(word.text)?;
        let [index] = indices else {
            self.vector_index(syntax.span, "expected one index, such as `[?i]`");
            return None;
        };
        let Syntax::Variable(index) = index.node else {
            self.vector_index(index.span, "expected a variable");
            return None;
        };
        let component = self.variable(index)?;
        let of = self.type_of_variable(component);
        let shapes = vector.parameters();
        if shapes.len() != parameters.len() {
            self.arity(syntax, word, shapes.len(), parameters.len());
            return None;
        }
        let draw = self.draw(syntax.span, Some(of), Some(component));
        let lambdas: Vec<_> = parameters
            .iter()
            .zip(shapes)
            .map(|(parameter, &holes)| self.lambda(parameter, holes, of, component))
            .collect();
        let lambdas: Option<Vec<_>> = lambdas.into_iter().collect();
        let range = match vector {
            Vector::Multinomial => Range::Int,
            _ => Range::Real,
        };
        Some(Self::at(
            syntax,
            Node::Vector(draw, vector, component, lambdas?),
            range,
        ))
    }

    fn vector_index(&mut self, span: Span, message: &str) {
        self.faults
            .report(Code::VectorIndex, "a wrong index of a vector or matrix", |d| {
                d.primary(span, message)
            });
    }

    /// Checks a parameter of a vector distribution: a number, or a fluent with one `_` per index among its arguments.
    fn lambda(
        &mut self,
        syntax: &ast::Expression<'_>,
        holes: usize,
        of: TypeId,
        component: VariableId,
    ) -> Option<Lambda> {
        if holes == 0 {
            return Some(Lambda {
                variables: Vec::new(),
                body: self.number(syntax)?,
            });
        }
        let Syntax::Call(word, arguments) = &syntax.node else {
            self.vector_index(syntax.span, "expected a fluent with `_` for the components");
            return None;
        };
        let found = arguments
            .iter()
            .filter(|one| matches!(one.node, Syntax::Underscore))
            .count();
        if found != holes {
            self.vector_index(
                syntax.span,
                &format!("expected {holes} of the arguments to be `_`, found {found}"),
            );
            return None;
        }
        self.holed_fluent(syntax, *word, arguments, of, component)
    }

    /// Checks `p(?k, _)` and binds a fresh variable for each `_`.
    fn holed_fluent(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        arguments: &[ast::Expression<'_>],
        of: TypeId,
        component: VariableId,
    ) -> Option<Lambda> {
        let bare = word.text.strip_suffix('\'').unwrap_or(word.text);
        let holes = arguments
            .iter()
            .filter(|one| matches!(one.node, Syntax::Underscore));
        let variables: Vec<VariableId> = holes
            .map(|hole| {
                self.bind(
                    Word {
                        text: "_",
                        span: hole.span,
                    },
                    of,
                )
            })
            .collect();
        self.unbind(variables.len());
        let Some(&(id, declared)) = self.names.pvariables.get(bare) else {
            return self
                .fluent(syntax, word, &[])
                .map(|body| Lambda { variables, body });
        };
        let time = if bare.len() == word.text.len() {
            Time::Now
        } else {
            Time::Next
        };
        let pvariable = self.domain.pvariable(id).clone();
        self.read(id, time, word.span);
        if pvariable.parameters.len() != arguments.len() {
            self.faults.report(
                Code::ArityMismatch,
                format!(
                    "`{bare}` has {}, not {}",
                    counted(pvariable.parameters.len(), "parameter"),
                    arguments.len()
                ),
                |d| {
                    d.primary(syntax.span, "the number of arguments is wrong")
                        .label(declared, "declared here")
                },
            );
            return None;
        }
        let mut fresh = variables.iter().copied();
        let mut checked = Vec::with_capacity(arguments.len());
        for (argument, &wanted) in arguments.iter().zip(&pvariable.parameters) {
            if matches!(argument.node, Syntax::Underscore) {
                if wanted != of {
                    let names = [wanted, of].map(|one| self.domain.type_of(one).name.clone());
                    self.vector_index(
                        argument.span,
                        &format!("over `{}`, where the components are `{}`", names[0], names[1]),
                    );
                    return None;
                }
                let hole = fresh.next()?;
                checked.push(Some(Self::at(argument, Node::Variable(hole), Range::Item(of))));
            } else {
                if let Syntax::Variable(word) = argument.node
                    && self.find_variable(word.text) == Some(component)
                {
                    self.vector_index(
                        argument.span,
                        "the components share one draw: write `_` for their index",
                    );
                    return None;
                }
                checked.push(self.needed(argument, Range::Item(wanted)));
            }
        }
        if !pvariable.range.is_numeric() {
            self.vector_index(syntax.span, "expected numbers");
            return None;
        }
        let arguments: Option<Vec<_>> = checked.into_iter().collect();
        let body = Self::at(syntax, Node::Fluent(id, time, arguments?), pvariable.range);
        Some(Lambda { variables, body })
    }

    /// `inverse[row=?i, col=?j][body]`
    pub(super) fn matrix(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        indices: [Word<'_>; 2],
        body: &ast::Expression<'_>,
    ) -> Option<Expression> {
        let matrix = Matrix::find(word.text)?;
        let [row, column] = indices.map(|index| self.variable(index));
        let outer = [row?, column?];
        if outer[0] == outer[1] {
            self.vector_index(indices[1].span, "row and column need different variables");
            return None;
        }
        self.square(syntax, outer)?;
        // Inside the body, the same names denote the indices of the matrix.
        let inner = [0, 1].map(|i| self.bind(indices[i], self.type_of_variable(outer[i])));
        let body = self.number(body);
        self.unbind(2);
        let lambda = Lambda {
            variables: inner.to_vec(),
            body: body?,
        };
        let node = Node::Matrix(matrix, outer, Box::new(lambda));
        Some(Self::at(syntax, node, Range::Real))
    }

    /// Reports a matrix that is not square.
    pub(super) fn square(&mut self, syntax: &ast::Expression<'_>, indices: [VariableId; 2]) -> Option<()> {
        let [rows, columns] = indices.map(|id| self.type_of_variable(id));
        if rows != columns {
            let names = [rows, columns].map(|of| self.domain.type_of(of).name.clone());
            self.vector_index(
                syntax.span,
                &format!(
                    "rows over `{}` and columns over `{}`: the matrix must be square",
                    names[0], names[1]
                ),
            );
            return None;
        }
        Some(())
    }
}
