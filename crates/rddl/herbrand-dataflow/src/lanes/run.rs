//! Execution of a program over lanes.

use super::super::instruction::{Instruction, NO_REGISTER, Operands, Register};
use super::super::math;
use super::super::math::{first_extreme, int_function, real_operation};
use super::super::operation::{BinaryOp, UnaryOp, ValueType};
use super::{Block, LaneFault, Lanes, Rows, RunContext, Work, functions};

/// Runs `work` and returns its result, using the widest vector instructions of the processor. Code inlined into `work` is
/// compiled once per instruction set; functions that are not inlined gain nothing. On processors without AVX2 it just
/// calls `work`.
#[inline(always)]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        use fearless_simd::{Level, Simd};
        let level = Level::new();
        if let Some(avx512) = level.as_avx512() {
            return avx512.vectorize(work);
        }
        if let Some(avx2) = level.as_avx2() {
            return avx2.vectorize(work);
        }
    }
    work()
}

/// The rows of an array, except the row that is written.
pub(super) struct Others<'a, T> {
    before: &'a [T],
    after: &'a [T],
    written: Register,
    width: usize,
    lanes: usize,
}

impl<'a, T> Others<'a, T> {
    /// Returns the used lanes of a row. The register must not be the destination.
    #[inline(always)]
    pub(super) fn row(&self, register: Register) -> &'a [T] {
        let (part, place) = if register < self.written {
            (self.before, register)
        } else {
            (self.after, register - self.written - 1)
        };
        &part[place as usize * self.width..][..self.lanes]
    }
}

/// Splits an array into the first `lanes` of a register's row and all other rows.
#[inline(always)]
pub(super) fn apart<T>(
    array: &mut [T],
    register: Register,
    width: usize,
    lanes: usize,
) -> (&mut [T], Others<'_, T>) {
    let (before, rest) = array.split_at_mut(register as usize * width);
    let (row, after) = rest.split_at_mut(width);
    let others = Others {
        before,
        after,
        written: register,
        width,
        lanes,
    };
    (&mut row[..lanes], others)
}

/// Fills row `$to` of an array with one value per lane.
macro_rules! row {
    ($self:ident, $array:ident[$to:expr], $n:ident; $($x:ident = $a:expr),*; $($y:ident = $other:ident[$b:expr]),* => $value:expr) => {{
        let (out, others) = apart($array, $to, $self.width, $n);
        let _ = &others;
        $(let $x = others.row($a);)*
        $(let $y = &$other[$b as usize * $self.width..][..$n];)*
        for (lane, out) in out.iter_mut().enumerate() {
            $(let $x = $x[lane];)*
            $(let $y = $y[lane];)*
            *out = $value;
        }
    }};
}

/// Combines two rows of one array lane by lane. If one of them is constant, only its first lane is read.
macro_rules! two_rows {
    ($self:ident, $kind:ident, $out:expr, $others:ident, $a:ident, $b:ident, |$x:ident, $y:ident| $value:expr) => {{
        let (is_a, is_b) = (
            $self.is_constant(ValueType::$kind, $a),
            $self.is_constant(ValueType::$kind, $b),
        );
        let (row_a, row_b) = ($others.row($a), $others.row($b));
        match (row_a.first(), row_b.first()) {
            (Some(&$x), _) if is_a => {
                $out.iter_mut().zip(row_b).for_each(|(out, &$y)| *out = $value);
            }
            (_, Some(&$y)) if is_b => {
                $out.iter_mut().zip(row_a).for_each(|(out, &$x)| *out = $value);
            }
            _ => {
                let pairs = row_a.iter().zip(row_b);
                $out.iter_mut()
                    .zip(pairs)
                    .for_each(|(out, (&$x, &$y))| *out = $value);
            }
        }
    }};
}

/// Combines two rows of the array that is written.
macro_rules! binary {
    ($self:ident, $kind:ident $array:ident[$to:ident], $n:ident; $a:ident, $b:ident; $($closure:tt)*) => {{
        let (out, others) = apart($array, $to, $self.width, $n);
        two_rows!($self, $kind, out, others, $a, $b, $($closure)*)
    }};
}

/// Compares two rows of numbers.
macro_rules! compare {
    ($self:ident, $bools:ident[$to:ident], $n:ident; $kind:ident $array:ident; $a:ident, $b:ident; $($closure:tt)*) => {{
        let out = &mut $bools[$to as usize * $self.width..][..$n];
        let rows = All { array: &*$array, width: $self.width, lanes: $n };
        two_rows!($self, $kind, out, rows, $a, $b, $($closure)*)
    }};
}

/// All rows of an array.
pub(super) struct All<'a, T> {
    pub(super) array: &'a [T],
    pub(super) width: usize,
    pub(super) lanes: usize,
}

impl<'a, T> All<'a, T> {
    #[inline(always)]
    pub(super) fn row(&self, register: Register) -> &'a [T] {
        &self.array[register as usize * self.width..][..self.lanes]
    }
}

impl Lanes {
    /// Returns whether a register is constant: the same in all lanes, whatever the inputs are.
    #[inline(always)]
    pub(super) fn is_constant(&self, kind: ValueType, register: Register) -> bool {
        let (first, end) = (self.inputs.of(kind), self.fixed.of(kind));
        first <= register && register < end
    }

    /// Evaluates the first `n` lanes.
    ///
    /// # Errors
    /// Fails if a value is missing in a lane that needs it.
    pub(crate) fn run(&self, block: &mut Block, n: usize, around: &impl RunContext) -> Result<(), LaneFault> {
        self.steps(&mut block.rows(), n, around, Self::straight_narrow)
    }

    /// Like [`run`](Self::run), but uses the widest vector instructions of the processor. The values are the same, bit for
    /// bit.
    ///
    /// # Errors
    /// Fails like [`run`](Self::run).
    pub(crate) fn run_wide(
        &self,
        block: &mut Block,
        n: usize,
        around: &impl RunContext,
    ) -> Result<(), LaneFault> {
        let rows = &mut block.rows();
        widest(
            #[inline(always)]
            || self.steps(rows, n, around, Self::straight),
        )
    }

    /// Executes the program. `straight` is [`straight`](Self::straight) or [`straight_narrow`](Self::straight_narrow).
    ///
    /// Inlined, like the functions that it calls itself, so that they are compiled for the instruction set of the caller.
    #[inline(always)]
    fn steps(
        &self,
        block: &mut Rows<'_>,
        n: usize,
        around: &impl RunContext,
        straight: impl Fn(&Self, usize, &mut Rows<'_>, usize) -> Result<usize, LaneFault>,
    ) -> Result<(), LaneFault> {
        let mut at = 0;
        loop {
            at = straight(self, at, block, n)?;
            let Some(step) = self.steps.get(at) else {
                return Ok(());
            };
            match &step.work {
                Work::Plain(instruction) => {
                    if !self.drawn(instruction, block, n, around) {
                        self.masked(instruction, step.mask, block, n, around)?;
                    }
                }
                &Work::Either(to, either) => self.either(to, either, step.mask, block, n, around)?,
                &Work::Lookup {
                    kind,
                    to,
                    table,
                    index,
                } => self.look_up(kind, to, (table, index), block, n, around),
                // `straight` executes all other work.
                Work::Fused(..) | Work::Angle { .. } | Work::Sign(..) | Work::BoolLookup { .. } => {}
            }
            at += 1;
        }
    }

    /// Executes the steps from number `at` on, up to the first that reads the context of the run. Returns the number of that
    /// step, or the number of all steps if there is none.
    #[inline(always)]
    fn straight(&self, mut at: usize, block: &mut Rows<'_>, n: usize) -> Result<usize, LaneFault> {
        while let Some(step) = self.steps.get(at) {
            at += 1;
            match &step.work {
                &Work::Plain(Instruction::JumpUnless(mask, to)) => {
                    let lanes = &block.bools[mask as usize * self.width..][..n];
                    if !lanes.iter().fold(false, |any, &lane| any | lane) {
                        at = to as usize;
                    }
                }
                Work::Plain(instruction) => {
                    if !self.plain(instruction, block, n) {
                        return Ok(at - 1);
                    }
                }
                &Work::Fused(to, fused) => {
                    let (out, others) = apart(block.reals, to, self.width, n);
                    fused.fill(out, &others, &(self.inputs.reals..self.fixed.reals));
                }
                &Work::Angle { sine, cosine, of } => self.angle([sine, cosine, of], block, n),
                &Work::Sign(to, test) => self.test_sign(to, test, step.mask, block, n)?,
                &Work::BoolLookup { kind, to, lookup } => self.bool_lookup(kind, to, lookup, block, n),
                Work::Either(..) | Work::Lookup { .. } => return Ok(at - 1),
            }
        }
        Ok(at)
    }

    /// [`straight`](Self::straight) for the instruction set of the build. It is compiled once, in this crate, though runs are
    /// generic over their contexts.
    #[inline(never)]
    fn straight_narrow(&self, at: usize, block: &mut Rows<'_>, n: usize) -> Result<usize, LaneFault> {
        self.straight(at, block, n)
    }

    fn look_up(
        &self,
        kind: ValueType,
        to: Register,
        (table, index): (u32, Register),
        block: &mut Rows<'_>,
        n: usize,
        around: &impl RunContext,
    ) {
        let Rows {
            bools, ints, reals, ..
        } = block;
        let (width, from) = (self.width, to as usize * self.width);
        let places = index as usize * self.width..index as usize * self.width + n;
        match kind {
            ValueType::Bool => {
                for (lane, (out, &place)) in bools[from..].iter_mut().zip(&ints[places]).enumerate() {
                    *out = around.bool(table, lane, place);
                }
            }
            ValueType::Int => {
                let (row, others) = apart(ints, to, width, n);
                for (lane, (out, &place)) in row.iter_mut().zip(others.row(index)).enumerate() {
                    *out = around.int(table, lane, place);
                }
            }
            ValueType::Real => {
                for (lane, (out, &place)) in reals[from..].iter_mut().zip(&ints[places]).enumerate() {
                    *out = around.real(table, lane, place);
                }
            }
        }
    }

    /// Executes an instruction that has a value in every lane. Returns `false` for any other instruction.
    #[inline(always)]
    fn plain(&self, instruction: &Instruction, block: &mut Rows<'_>, n: usize) -> bool {
        use Instruction as I;
        let Rows {
            bools, ints, reals, ..
        } = block;
        match *instruction {
            I::CopyBool(to, a) => row!(self, bools[to], n; a = a; => a),
            I::CopyInt(to, a) => row!(self, ints[to], n; a = a; => a),
            I::CopyReal(to, a) => row!(self, reals[to], n; a = a; => a),
            I::Not(to, a) => row!(self, bools[to], n; a = a; => !a),
            I::And(to, a, b) => row!(self, bools[to], n; a = a, b = b; => a & b),
            I::Or(to, a, b) => row!(self, bools[to], n; a = a, b = b; => a | b),
            I::Same(to, a, b) => row!(self, bools[to], n; a = a, b = b; => a == b),
            I::SelectBool(to, c, a, b) => {
                row!(self, bools[to], n; c = c, a = a, b = b; => (c & a) | (!c & b));
            }
            I::SelectInt(to, c, a, b) => {
                row!(self, ints[to], n; a = a, b = b; c = bools[c] => if c { a } else { b });
            }
            I::SelectReal(to, c, a, b) => {
                let c = &bools[c as usize * self.width..][..n];
                self.select_real(reals, [to, a, b], c);
            }
            I::BoolToInt(to, a) => row!(self, ints[to], n; ; a = bools[a] => i64::from(a)),
            I::BoolToReal(to, a) => row!(self, reals[to], n; ; a = bools[a] => f64::from(u8::from(a))),
            I::IntToReal(to, a) => row!(self, reals[to], n; ; a = ints[a] => a as f64),
            I::EqInt(to, a, b) => compare!(self, bools[to], n; Int ints; a, b; |x, y| x == y),
            I::LtInt(to, a, b) => compare!(self, bools[to], n; Int ints; a, b; |x, y| x < y),
            I::LeInt(to, a, b) => compare!(self, bools[to], n; Int ints; a, b; |x, y| x <= y),
            I::EqReal(to, a, b) => compare!(self, bools[to], n; Real reals; a, b; |x, y| x == y),
            I::LtReal(to, a, b) => compare!(self, bools[to], n; Real reals; a, b; |x, y| x < y),
            I::LeReal(to, a, b) => compare!(self, bools[to], n; Real reals; a, b; |x, y| x <= y),
            I::AddInt(to, a, b) => binary!(self, Int ints[to], n; a, b; |x, y| x.wrapping_add(y)),
            I::SubInt(to, a, b) => binary!(self, Int ints[to], n; a, b; |x, y| x.wrapping_sub(y)),
            I::IntOperation(BinaryOp::MulInt, to, a, b) => {
                row!(self, ints[to], n; a = a, b = b; => a.wrapping_mul(b));
            }
            I::IntOperation(BinaryOp::MinInt, to, a, b) => row!(self, ints[to], n; a = a, b = b; => a.min(b)),
            I::IntOperation(BinaryOp::MaxInt, to, a, b) => row!(self, ints[to], n; a = a, b = b; => a.max(b)),
            I::IntFunction(op, to, a) => row!(self, ints[to], n; a = a; => int_function(op, a)),
            I::AddReal(to, a, b) => binary!(self, Real reals[to], n; a, b; |x, y| x + y),
            I::SubReal(to, a, b) => binary!(self, Real reals[to], n; a, b; |x, y| x - y),
            I::MulReal(to, a, b) => binary!(self, Real reals[to], n; a, b; |x, y| x * y),
            I::DivReal(to, a, b) => binary!(self, Real reals[to], n; a, b; |x, y| x / y),
            I::MinReal(to, a, b) => binary!(self, Real reals[to], n; a, b; |x, y| math::min_real(x, y)),
            I::MaxReal(to, a, b) => binary!(self, Real reals[to], n; a, b; |x, y| math::max_real(x, y)),
            I::RealFunction(UnaryOp::Sqrt, to, a) => row!(self, reals[to], n; a = a; => a.sqrt()),
            I::RealFunction(UnaryOp::NegReal, to, a) => row!(self, reals[to], n; a = a; => -a),
            I::RealFunction(UnaryOp::AbsReal, to, a) => row!(self, reals[to], n; a = a; => a.abs()),
            I::Rounding(op, to, a) => {
                let x = &reals[a as usize * self.width..][..n];
                return functions::round(op, x, &mut ints[to as usize * self.width..][..n]);
            }
            I::RealFunction(op, to, a) => {
                let (out, others) = apart(reals, to, self.width, n);
                functions::fill_any(op, others.row(a), out);
            }
            I::RealOperation(BinaryOp::PowReal, to, a, b) => self.power(reals, [to, a, b], n),
            I::RealOperation(op, to, a, b) => {
                row!(self, reals[to], n; a = a, b = b; => real_operation(op, a, b));
            }
            _ => return self.of_lists(instruction, block, n),
        }
        true
    }

    /// Selects between two rows of reals. Either row may be constant.
    #[inline(always)]
    fn select_real(&self, reals: &mut [f64], [to, a, b]: [Register; 3], c: &[bool]) {
        let (out, others) = apart(reals, to, self.width, c.len());
        let constant = |register: Register| self.is_constant(ValueType::Real, register);
        let (is_a, is_b) = (constant(a), constant(b));
        let (row_a, row_b) = (others.row(a), others.row(b));
        let lanes = out.iter_mut().zip(c);
        match (row_a.first(), row_b.first()) {
            (Some(&a), Some(&b)) if is_a && is_b => lanes.for_each(|(out, &c)| *out = if c { a } else { b }),
            (Some(&a), _) if is_a => {
                lanes
                    .zip(row_b)
                    .for_each(|((out, &c), &b)| *out = if c { a } else { b });
            }
            (_, Some(&b)) if is_b => {
                lanes
                    .zip(row_a)
                    .for_each(|((out, &c), &a)| *out = if c { a } else { b });
            }
            _ => {
                let rows = row_a.iter().zip(row_b);
                lanes
                    .zip(rows)
                    .for_each(|((out, &c), (&a, &b))| *out = if c { a } else { b });
            }
        }
    }

    /// Computes powers. If all exponents are 2, or ½ with positive bases, no power function is needed.
    #[inline(always)]
    fn power(&self, reals: &mut [f64], [to, a, b]: [Register; 3], n: usize) {
        let row = |register: Register| register as usize * self.width..register as usize * self.width + n;
        let exponents = &reals[row(b)];
        let all = |exponent: f64| exponents.iter().all(|&b| b == exponent);
        if all(2.0) {
            row!(self, reals[to], n; a = a; => a * a);
        } else if all(0.5) && reals[row(a)].iter().all(|&a| a > 0.0) {
            row!(self, reals[to], n; a = a; => a.sqrt());
        } else {
            row!(self, reals[to], n; a = a, b = b; => math::pow_real(a, b));
        }
    }

    /// Executes an instruction that reads a list of rows and has a value in every lane. Returns `false` for any other
    /// instruction.
    #[inline(always)]
    fn of_lists(&self, instruction: &Instruction, block: &mut Rows<'_>, n: usize) -> bool {
        use Instruction as I;
        let Rows {
            bools, ints, reals, ..
        } = block;
        match *instruction {
            I::All(to, all) => self.accumulate(bools, to, all, n, true, |all, one| all & one),
            I::Any(to, all) => self.accumulate(bools, to, all, n, false, |any, one| any | one),
            I::SumInt(to, all) => self.accumulate(ints, to, all, n, 0, i64::wrapping_add),
            I::SumReal(to, all) => self.accumulate(reals, to, all, n, 0.0, |sum, one| sum + one),
            I::ProductReal(to, all) => self.accumulate(reals, to, all, n, 1.0, |product, one| product * one),
            I::Count(to, all) => self.count(to, all, bools, ints, n),
            I::SumProducts(to, factors) => self.sum_products(reals, to, factors, n),
            I::Place(to, op, all) => {
                for lane in 0..n {
                    let values = self
                        .list(all)
                        .iter()
                        .map(|&r| reals[r as usize * self.width + lane]);
                    ints[to as usize * self.width + lane] = first_extreme(op, values) as i64;
                }
            }
            I::GatherBool(to, index, list) => {
                let (out, others) = apart(bools, to, self.width, n);
                let places = &ints[index as usize * self.width..][..n];
                self.gather(&others, out, places, list);
            }
            I::GatherInt(to, index, list) => {
                let (out, others) = apart(ints, to, self.width, n);
                self.gather(&others, out, others.row(index), list);
            }
            I::GatherReal(to, index, list) => {
                let (out, others) = apart(reals, to, self.width, n);
                let places = &ints[index as usize * self.width..][..n];
                self.gather(&others, out, places, list);
            }
            _ => return false,
        }
        true
    }

    #[inline(always)]
    pub(super) fn list(&self, list: Operands) -> &[Register] {
        &self.operands[list.start as usize..][..list.len as usize]
    }

    /// Combines rows from left to right, starting with `first`.
    #[inline(always)]
    fn accumulate<T: Copy>(
        &self,
        array: &mut [T],
        to: Register,
        list: Operands,
        n: usize,
        first: T,
        combine: impl Fn(T, T) -> T,
    ) {
        let (out, others) = apart(array, to, self.width, n);
        out.fill(first);
        // Takes four rows at a time, so that the destination row is read and written a quarter as often.
        let (fours, rest) = self.list(list).as_chunks::<4>();
        for &four in fours {
            let [a, b, c, d] = four.map(|register| others.row(register));
            let rows = a.iter().zip(b).zip(c.iter().zip(d));
            for (sum, ((&a, &b), (&c, &d))) in out.iter_mut().zip(rows) {
                *sum = combine(combine(combine(combine(*sum, a), b), c), d);
            }
        }
        for &register in rest {
            out.iter_mut()
                .zip(others.row(register))
                .for_each(|(sum, &one)| *sum = combine(*sum, one));
        }
    }

    #[inline(always)]
    fn sum_products(&self, reals: &mut [f64], to: Register, factors: Operands, n: usize) {
        let (out, others) = apart(reals, to, self.width, n);
        out.fill(0.0);
        let (pairs, _) = self.list(factors).as_chunks::<2>();
        for &[a, b] in pairs {
            let row_a = others.row(a);
            if b == NO_REGISTER {
                out.iter_mut().zip(row_a).for_each(|(sum, &a)| *sum += a);
                continue;
            }
            let row_b = others.row(b);
            if self.is_constant(ValueType::Real, a) && n > 0 {
                let a = row_a[0];
                out.iter_mut().zip(row_b).for_each(|(sum, &b)| *sum += a * b);
            } else if self.is_constant(ValueType::Real, b) && n > 0 {
                let b = row_b[0];
                out.iter_mut().zip(row_a).for_each(|(sum, &a)| *sum += a * b);
            } else {
                let products = row_a.iter().zip(row_b);
                out.iter_mut()
                    .zip(products)
                    .for_each(|(sum, (&a, &b))| *sum += a * b);
            }
        }
    }

    #[inline(always)]
    fn gather<T: Copy>(&self, rows: &Others<'_, T>, out: &mut [T], places: &[i64], list: Operands) {
        let registers = self.list(list);
        let last = registers.len().saturating_sub(1);
        for (lane, (out, &place)) in out.iter_mut().zip(places).enumerate() {
            let place = usize::try_from(place).unwrap_or(last).min(last);
            *out = rows.row(registers[place])[lane];
        }
    }
}
