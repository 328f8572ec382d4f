//! Execution of a tape.

use herbrand_distributions::{Draws, Site};
use herbrand_limits::check_enclosing;

use crate::compiled::Tape;
use crate::fault::{PASS, TapeFault, ValueError, no_int};
use crate::instruction::{Instruction, Operands, Register, scratch_of};
use crate::math::{
    self, first_extreme, int_function, int_operation, real_function, real_operation, rounding,
};
use crate::matrix::vector;
use crate::operation::ValueType;
use crate::registers::Registers;
use crate::scratch::with_scratch;

impl Tape {
    /// Evaluates all outputs of the tape. Reads inputs from `registers`, which [`Tape::registers`] of this tape made,
    /// and writes outputs to it; those of another tape give a panic or meaningless values. `draws` supplies the random
    /// numbers. Nothing is allocated.
    ///
    /// # Errors
    /// Fails with the first value that could not be computed, or if an enclosing budget is exhausted, which only long
    /// runs check. The contents of registers other than inputs and constants are then unspecified.
    pub fn run(&self, registers: &mut Registers, draws: &impl Draws) -> Result<(), TapeFault> {
        if self.is_long {
            check_enclosing(PASS).map_err(|exhausted| TapeFault {
                node: None,
                value: None,
                error: exhausted.into(),
            })?;
        }
        let mut at = 0;
        while let Some(instruction) = self.instructions.get(at) {
            at += 1;
            match *instruction {
                Instruction::Jump(to) => at = to as usize,
                Instruction::JumpUnless(c, to) => {
                    if !registers.bools[c as usize] {
                        at = to as usize;
                    }
                }
                Instruction::Template(to, number, operands) => {
                    let list = &self.operands[operands.start as usize..][..operands.len as usize];
                    let template = &self.templates[number as usize];
                    if let Err((value, error)) = template.run(list, to, registers, draws) {
                        return Err(TapeFault {
                            node: self.origin(at as u32 - 1),
                            value: Some(value),
                            error,
                        });
                    }
                }
                _ => {
                    if let Err(error) = self.execute(instruction, registers, draws) {
                        return Err(TapeFault {
                            node: self.origin(at as u32 - 1),
                            value: None,
                            error,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn execute(
        &self,
        instruction: &Instruction,
        registers: &mut Registers,
        draws: &impl Draws,
    ) -> Result<(), ValueError> {
        use Instruction as I;
        let Registers {
            bools,
            ints,
            reals,
            scratch,
            ..
        } = registers;
        let list = |list: Operands| {
            self.operands[list.start as usize..][..list.len as usize]
                .iter()
                .map(|&r| r as usize)
        };
        macro_rules! set {
            ($array:ident[$to:ident] = $value:expr) => {{
                let value = $value;
                $array[$to as usize] = value;
            }};
        }
        macro_rules! get {
            ($array:ident[$from:expr]) => {
                $array[$from as usize]
            };
        }
        match *instruction {
            I::Jump(_) | I::JumpUnless(..) | I::Template(..) => {}
            I::PackBools(to, all) => pack(bools, to, list(all)),
            I::PackInts(to, all) => pack(ints, to, list(all)),
            I::PackReals(to, all) => pack(reals, to, list(all)),
            I::CopyRun(kind, to, from, len) => {
                let (from, to) = (from as usize..(from + len) as usize, to as usize);
                match kind {
                    ValueType::Bool => bools.copy_within(from, to),
                    ValueType::Int => ints.copy_within(from, to),
                    ValueType::Real => reals.copy_within(from, to),
                }
            }
            I::CopyBool(to, a) => set!(bools[to] = get!(bools[a])),
            I::CopyInt(to, a) => set!(ints[to] = get!(ints[a])),
            I::CopyReal(to, a) => set!(reals[to] = get!(reals[a])),
            I::SelectBool(to, c, a, b) => {
                set!(
                    bools[to] = if get!(bools[c]) {
                        get!(bools[a])
                    } else {
                        get!(bools[b])
                    }
                );
            }
            I::SelectInt(to, c, a, b) => {
                set!(
                    ints[to] = if get!(bools[c]) {
                        get!(ints[a])
                    } else {
                        get!(ints[b])
                    }
                );
            }
            I::SelectReal(to, c, a, b) => {
                set!(
                    reals[to] = if get!(bools[c]) {
                        get!(reals[a])
                    } else {
                        get!(reals[b])
                    }
                );
            }
            I::GatherBool(to, i, list) => {
                set!(bools[to] = get!(bools[self.operand(list, get!(ints[i]))]));
            }
            I::GatherInt(to, i, list) => {
                set!(ints[to] = get!(ints[self.operand(list, get!(ints[i]))]));
            }
            I::GatherReal(to, i, list) => {
                set!(reals[to] = get!(reals[self.operand(list, get!(ints[i]))]));
            }
            I::Not(to, a) => set!(bools[to] = !get!(bools[a])),
            I::And(to, a, b) => set!(bools[to] = get!(bools[a]) & get!(bools[b])),
            I::Or(to, a, b) => set!(bools[to] = get!(bools[a]) | get!(bools[b])),
            I::Same(to, a, b) => set!(bools[to] = get!(bools[a]) == get!(bools[b])),
            I::All(to, all) => set!(bools[to] = list(all).all(|r| bools[r])),
            I::Any(to, any) => set!(bools[to] = list(any).any(|r| bools[r])),
            I::Count(to, all) => {
                set!(ints[to] = list(all).fold(0, |sum, r| sum + i64::from(bools[r])));
            }
            I::SumInt(to, all) => {
                set!(ints[to] = list(all).fold(0, |sum: i64, r| sum.wrapping_add(ints[r])));
            }
            I::SumReal(to, all) => set!(reals[to] = list(all).fold(0.0, |sum, r| sum + reals[r])),
            I::SumProducts(to, all) => {
                let factors = &self.operands[all.start as usize..][..all.len as usize];
                let (pairs, _) = factors.as_chunks::<2>();
                let product = |&[a, b]: &[u32; 2]| reals[a as usize] * reals[b as usize];
                set!(reals[to] = pairs.iter().map(product).fold(0.0, |sum, term| sum + term));
            }
            I::ProductReal(to, all) => {
                set!(reals[to] = list(all).fold(1.0, |product, r| product * reals[r]));
            }
            I::Place(to, op, all) => {
                set!(ints[to] = first_extreme(op, list(all).map(|r| reals[r])) as i64);
            }
            I::BoolToInt(to, a) => set!(ints[to] = i64::from(get!(bools[a]))),
            I::BoolToReal(to, a) => set!(reals[to] = f64::from(u8::from(get!(bools[a])))),
            I::IntToReal(to, a) => set!(reals[to] = get!(ints[a]) as f64),
            I::IntFunction(op, to, a) => set!(ints[to] = int_function(op, get!(ints[a]))),
            I::Rounding(op, to, a) => {
                set!(ints[to] = rounding(op, get!(reals[a])).ok_or(ValueError::NOT_WHOLE)?);
            }
            I::Fail(why) => return Err(ValueError::Absent(why)),
            I::RealFunction(op, to, a) => set!(reals[to] = real_function(op, get!(reals[a]))),
            I::AddInt(to, a, b) => set!(ints[to] = get!(ints[a]).wrapping_add(get!(ints[b]))),
            I::SubInt(to, a, b) => set!(ints[to] = get!(ints[a]).wrapping_sub(get!(ints[b]))),
            I::IntOperation(op, to, a, b) => {
                let value = int_operation(op, get!(ints[a]), get!(ints[b]));
                set!(ints[to] = value.ok_or(ValueError::NoInt(no_int(op)))?);
            }
            I::AddReal(to, a, b) => set!(reals[to] = get!(reals[a]) + get!(reals[b])),
            I::SubReal(to, a, b) => set!(reals[to] = get!(reals[a]) - get!(reals[b])),
            I::MulReal(to, a, b) => set!(reals[to] = get!(reals[a]) * get!(reals[b])),
            I::DivReal(to, a, b) => set!(reals[to] = get!(reals[a]) / get!(reals[b])),
            I::MinReal(to, a, b) => set!(reals[to] = math::min_real(get!(reals[a]), get!(reals[b]))),
            I::MaxReal(to, a, b) => set!(reals[to] = math::max_real(get!(reals[a]), get!(reals[b]))),
            I::RealOperation(op, to, a, b) => {
                set!(reals[to] = real_operation(op, get!(reals[a]), get!(reals[b])));
            }
            I::EqInt(to, a, b) => set!(bools[to] = get!(ints[a]) == get!(ints[b])),
            I::LtInt(to, a, b) => set!(bools[to] = get!(ints[a]) < get!(ints[b])),
            I::LeInt(to, a, b) => set!(bools[to] = get!(ints[a]) <= get!(ints[b])),
            I::EqReal(to, a, b) => set!(bools[to] = get!(reals[a]) == get!(reals[b])),
            I::LtReal(to, a, b) => set!(bools[to] = get!(reals[a]) < get!(reals[b])),
            I::LeReal(to, a, b) => set!(bools[to] = get!(reals[a]) <= get!(reals[b])),
            I::Bernoulli(to, p, site) => {
                set!(bools[to] = draws.bernoulli(Site(site), get!(reals[p]))?);
            }
            I::DrawReal(family, to, a, b, site) => {
                set!(reals[to] = draws.draw(Site(site), family, get!(reals[a]), get!(reals[b]))?);
            }
            I::DrawInt(family, to, a, b, site) => {
                let count = draws.draw(Site(site), family, get!(reals[a]), get!(reals[b]))?;
                set!(ints[to] = count as i64);
            }
            I::Choose(choice, to, weights, site) => {
                let place = with_scratch(scratch, scratch_of(instruction), |scratch| {
                    for (weight, r) in scratch.iter_mut().zip(list(weights)) {
                        *weight = reals[r];
                    }
                    draws.choose(Site(site), choice, scratch)
                })?;
                set!(ints[to] = place as i64);
            }
            I::Vector(op, n, to, operands, site) => {
                with_scratch(scratch, scratch_of(instruction), |scratch| {
                    for (value, r) in scratch.iter_mut().zip(list(operands)) {
                        *value = reals[r];
                    }
                    let (given, rest) = scratch.split_at_mut(operands.len as usize);
                    let outputs = &mut reals[to as usize..][..op.outputs(n as usize)];
                    vector(op, n as usize, given, rest, outputs, draws, Site(site))
                })?;
            }
        }
        Ok(())
    }

    #[inline]
    fn operand(&self, list: Operands, place: i64) -> u32 {
        let last = list.len.saturating_sub(1);
        let place = u32::try_from(place).unwrap_or(last).min(last);
        self.operands[(list.start + place) as usize]
    }
}

/// Copies registers to consecutive registers.
fn pack<T: Copy>(registers: &mut [T], to: Register, from: impl Iterator<Item = usize>) {
    for (to, from) in (to as usize..).zip(from) {
        registers[to] = registers[from];
    }
}
