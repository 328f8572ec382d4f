//! Evaluation of expressions that draw.

use herbrand_distributions::{
    ParameterError, ParameterFault, Site, dirichlet, multinomial, multivariate_normal, multivariate_student,
};
use herbrand_rddl::{DrawId, Expression, Formula, Lambda, Node, Value, VariableId, Vector};

use super::chance::{Behind, Chance, ObjectDraws};
use super::error::RddlEvaluationError;
use super::world::StepEnvironment;

impl<C: Chance> StepEnvironment<'_, C> {
    fn site(&self, id: DrawId, items: &[u32]) -> Site {
        let scope = &self.instance.domain.draw(id).scope;
        let around: Vec<u32> = scope.iter().map(|variable| items[variable.index()]).collect();
        self.sites.site(id, &around)
    }

    pub(super) fn draw(
        &self,
        formula: &Formula,
        expression: &Expression,
        items: &mut Vec<u32>,
    ) -> Result<Value, RddlEvaluationError> {
        match &expression.node {
            Node::Bernoulli(id, p) => {
                let p = self.real(formula, p, items)?;
                if !(0.0..=1.0).contains(&p) {
                    return Err(not_a_probability(p).into());
                }
                let site = self.site(*id, items);
                Ok(Value::Bool(self.chance.bernoulli(site, p)?))
            }
            Node::Draw(id, family, parameters) => {
                let first = self.real(formula, &parameters[0], items)?;
                let second = match parameters.get(1) {
                    Some(second) => self.real(formula, second, items)?,
                    None => 0.0,
                };
                let site = self.site(*id, items);
                let drawn = self.chance.family(site, *family, first, second)?;
                Ok(if family.is_counting() {
                    Value::Int(drawn as i64)
                } else {
                    Value::Real(drawn)
                })
            }
            Node::Discrete {
                draw,
                choice,
                of,
                cases,
                otherwise,
            } => {
                let mut weights = vec![0.0; self.instance.size(*of) as usize];
                for case in cases {
                    weights[case.item as usize] = self.real(formula, &case.body, items)?;
                }
                if let Some(item) = otherwise {
                    let others: f64 = cases.iter().map(|case| weights[case.item as usize]).sum();
                    weights[*item as usize] = 1.0 - others;
                }
                let site = self.site(*draw, items);
                let chosen = self.chance.choose(site, *choice, &weights)?;
                Ok(Value::Item(chosen as u32))
            }
            Node::DiscreteOver(id, choice, variable, body) => {
                let site = self.site(*id, items);
                let mut weights = Vec::new();
                self.each(formula, &[*variable], items, &mut |world, items| {
                    weights.push(world.real(formula, body, items)?);
                    Ok(true)
                })?;
                let chosen = self.chance.choose(site, *choice, &weights)?;
                Ok(Value::Item(chosen as u32))
            }
            Node::Vector(id, vector, component, lambdas) => {
                self.vector(formula, *id, *vector, *component, lambdas, items)
            }
            _ => Ok(expression.range.zero()),
        }
    }

    fn vector(
        &self,
        formula: &Formula,
        id: DrawId,
        vector: Vector,
        component: VariableId,
        lambdas: &[Lambda],
        items: &mut Vec<u32>,
    ) -> Result<Value, RddlEvaluationError> {
        let site = self.site(id, items);
        let wanted = items[component.index()] as usize;
        let mut parameters = Vec::new();
        for lambda in lambdas {
            let mut elements = Vec::new();
            self.each(formula, &lambda.variables, items, &mut |world, items| {
                elements.push(world.real(formula, &lambda.body, items)?);
                Ok(true)
            })?;
            parameters.push(elements);
        }
        let size = self.instance.size(formula.variable(component).of) as usize;
        let mut drawn = vec![0.0; size];
        self.chance.vector(&mut |draws: &dyn ObjectDraws| {
            let draws = Behind(draws);
            match vector {
                Vector::Normal => {
                    let mut covariance = parameters[1].clone();
                    multivariate_normal(&draws, site, &parameters[0], &mut covariance, &mut drawn, || {
                        Ok(())
                    })
                }
                Vector::Student => {
                    let (mut scale, degrees) = (parameters[1].clone(), parameters[2][0]);
                    multivariate_student(
                        &draws,
                        site,
                        &parameters[0],
                        &mut scale,
                        degrees,
                        &mut drawn,
                        || Ok(()),
                    )
                }
                Vector::Dirichlet => dirichlet(&draws, site, &parameters[0], &mut drawn),
                Vector::Multinomial => {
                    multinomial(&draws, site, parameters[0][0], &parameters[1], &mut drawn)
                }
            }
        })?;
        Ok(match vector {
            Vector::Multinomial => Value::Int(drawn[wanted] as i64),
            _ => Value::Real(drawn[wanted]),
        })
    }
}

const fn not_a_probability(value: f64) -> ParameterError {
    ParameterError {
        distribution: "Bernoulli",
        parameter: "probability",
        value,
        fault: ParameterFault::NotAProbability,
    }
}
