//! Lowering of vector draws and matrix functions.

use herbrand_dataflow::{NodeId, Operation, UnaryOp, ValueType, VectorOp};
use herbrand_rddl::{DrawId, Expression, Lambda, Matrix, VariableId, Vector};

use super::lower::Lowering;

impl Lowering<'_> {
    /// Returns one component of a vector that is drawn as a whole.
    pub(super) fn vector(
        &mut self,
        draw: DrawId,
        op: Vector,
        variable: VariableId,
        parameters: &[Lambda],
    ) -> NodeId {
        let component = self.item(variable) as usize;
        let key = (draw, self.scope(draw));
        if let Some(components) = self.vectors.get(&key) {
            return components[component];
        }
        let n = self.size_of(variable) as usize;
        let operands: Vec<NodeId> = parameters
            .iter()
            .flat_map(|parameter| self.elements(parameter))
            .collect();
        let site = self.site(draw);
        let operation = match op {
            Vector::Normal => VectorOp::MultivariateNormal,
            Vector::Student => VectorOp::MultivariateStudent,
            Vector::Dirichlet => VectorOp::Dirichlet,
            Vector::Multinomial => VectorOp::Multinomial,
        };
        let mut components = self.graph.vector(operation, n, operands, site);
        if op == Vector::Multinomial {
            for count in &mut components {
                *count = self.graph.unary(UnaryOp::Truncate, *count);
            }
        }
        let value = components[component];
        self.bind(variable, component as u32);
        self.vectors.insert(key, components);
        value
    }

    /// Lowers the elements of a scalar, vector or matrix, in row order.
    fn elements(&mut self, lambda: &Lambda) -> Vec<NodeId> {
        match *lambda.variables {
            [] => vec![self.lower(&lambda.body)],
            [index] => self.each_item(index, &lambda.body),
            [row, column, ..] => self.square(row, column, &lambda.body),
        }
    }

    fn square(&mut self, row: VariableId, column: VariableId, body: &Expression) -> Vec<NodeId> {
        let size = self.size_of(row);
        let mut elements = Vec::new();
        if !self.meter.reserve(&mut elements, size as usize * size as usize) {
            return elements;
        }
        for item in 0..size {
            self.bind(row, item);
            elements.append(&mut self.each_item(column, body));
        }
        elements
    }

    pub(super) fn determinant(&mut self, [row, column]: [VariableId; 2], body: &Expression) -> NodeId {
        let elements = self.square(row, column, body);
        let n = self.size_of(row) as usize;
        self.graph.vector(
            VectorOp::Determinant,
            n,
            elements,
            herbrand_distributions::Site(0),
        )[0]
    }

    /// Returns one element of a matrix function.
    pub(super) fn matrix(&mut self, op: Matrix, [row, column]: [VariableId; 2], element: &Lambda) -> NodeId {
        let at = self.item(row) * self.size_of(row) + self.item(column);
        let key = (std::ptr::from_ref(element).addr(), self.outside(element));
        if let Some(elements) = self.matrices.get(&key) {
            return elements[at as usize];
        }
        let n = self.size_of(row) as usize;
        let operation = match op {
            Matrix::Inverse => VectorOp::Inverse,
            Matrix::PseudoInverse => VectorOp::PseudoInverse,
            Matrix::Cholesky => VectorOp::Cholesky,
        };
        let operands = self.elements(element);
        if !self.meter.charge((n * n * size_of::<Operation>()) as u64) {
            return self.graph.zero(ValueType::Real);
        }
        let elements = self
            .graph
            .vector(operation, n, operands, herbrand_distributions::Site(0));
        let value = elements[at as usize];
        self.matrices.insert(key, elements);
        value
    }

    /// Returns the variables that a matrix depends on, apart from its own indices, with their items.
    fn outside(&self, element: &Lambda) -> Vec<(VariableId, u32)> {
        let mut outside = Vec::new();
        element.body.walk(&mut |part| {
            if let herbrand_rddl::Node::Variable(id) = part.node
                && !element.variables.contains(&id)
                && id.index() < self.items.len()
            {
                outside.push((id, self.item(id)));
            }
        });
        outside
    }
}
