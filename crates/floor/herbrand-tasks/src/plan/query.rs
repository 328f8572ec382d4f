//! The query of a plan.

use std::num::NonZeroU32;

use herbrand_plan::Determinization;
use herbrand_rddl_plan::gradient::TNorm;
use herbrand_rddl_plan::plan::Risk;
use serde::{Deserialize, Serialize};

use super::options::PLAN_OPTIONS;
use crate::failure::TaskFailure;
use crate::options::{OptionSpec, OptionValues};
use crate::planners::AnyPlanner;

/// The planner and its options. Each field is one of the [options](crate::TaskQuery::OPTIONS), which
/// describe it and its default. The default
/// is the usual planner of the language.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the table of options describes the fields")]
pub struct PlanQuery {
    pub planner: Option<String>,
    pub external: Option<String>,
    pub optimal: bool,
    pub h2: bool,
    #[serde(with = "as_text")]
    pub determinize: Option<Determinization>,
    pub runs: Option<u32>,
    pub horizon: Option<u32>,
    pub iterations: Option<u32>,
    pub rollouts: Option<NonZeroU32>,
    pub exact: bool,
    pub table: Option<u32>,
    pub values: bool,
    pub lookahead: Option<u32>,
    pub candidates: Option<usize>,
    pub rounds: Option<u32>,
    pub scenarios: Option<u32>,
    #[serde(with = "as_text")]
    pub risk: Option<Risk>,
    pub replan: bool,
    #[serde(with = "as_text")]
    pub t_norm: Option<TNorm>,
    pub rate: Option<f64>,
    pub sharpness: Option<f64>,
    pub hidden: Option<Vec<usize>>,
    /// Whether the answer has the text of a policy file.
    #[serde(skip)]
    pub keeps_policy: bool,
}

impl PlanQuery {
    /// Returns the options that are given, in the order of the table.
    fn given(&self) -> impl Iterator<Item = &'static OptionSpec> {
        let fields = serde_json::to_value(self).unwrap_or_default();
        let is_given = move |spec: &&OptionSpec| {
            !matches!(
                &fields[spec.name],
                serde_json::Value::Null | serde_json::Value::Bool(false)
            )
        };
        PLAN_OPTIONS.iter().filter(is_given)
    }

    /// Checks that all options that are given go with a planner.
    ///
    /// # Errors
    /// Fails with the first option that does not.
    pub(super) fn fits(&self, planner: AnyPlanner) -> Result<(), TaskFailure> {
        let unfit = self.given().find(|spec| !(spec.fits)(planner));
        unfit.map_or(Ok(()), |spec| Err(super::options::misfit(spec, planner)))
    }

    /// Returns the request for one planner by its name, without the options that do not go with it.
    pub(super) fn for_planner(&self, planner: AnyPlanner) -> Self {
        let mut fields = serde_json::to_value(self).unwrap_or_default();
        for spec in PLAN_OPTIONS.iter().filter(|spec| !(spec.fits)(planner)) {
            fields[spec.name] = if matches!(spec.values, OptionValues::Flag) {
                false.into()
            } else {
                serde_json::Value::Null
            };
        }
        fields["planner"] = planner.name().into();
        serde_json::from_value(fields).unwrap_or_default()
    }

    /// Returns the number of runs of a policy.
    pub(super) fn runs(&self) -> u32 {
        self.runs.unwrap_or(30)
    }

    /// Returns the maximum number of steps of a run.
    pub(super) fn horizon(&self) -> u32 {
        self.horizon.unwrap_or(1000)
    }
}

/// Values that are written as texts.
pub(crate) mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &Option<T>, out: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => out.collect_str(value),
            None => out.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T, D>(read: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(read)?;
        text.map(|text| text.parse().map_err(de::Error::custom))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text that is a value of an option.
    fn sample(values: OptionValues) -> &'static str {
        match values {
            OptionValues::Flag => "",
            OptionValues::Count { .. } | OptionValues::Counts(_) => "7",
            OptionValues::Positive => "0.5",
            OptionValues::Words(_, words) => words[0].0,
            OptionValues::Text("OBJECTIVE", _) => "cvar:0.5",
            OptionValues::Text("NORM", _) => "godel",
            OptionValues::Text(..) => "p {domain} {problem} {plan}",
        }
    }

    #[test]
    fn each_field_is_one_option_with_readable_values() {
        let fields = serde_json::to_value(PlanQuery::default()).expect("JSON");
        let fields = fields.as_object().expect("fields");
        assert_eq!(fields.len(), PLAN_OPTIONS.len());
        let planners = || {
            AnyPlanner::of_pddl()
                .chain(AnyPlanner::of_rddl())
                .chain([AnyPlanner::External])
        };
        for spec in PLAN_OPTIONS {
            assert!(fields.contains_key(spec.name), "{}", spec.name);
            assert!(planners().any(|planner| (spec.fits)(planner)), "{}", spec.name);
            let value = spec.values.read(sample(spec.values));
            // Without the feature, no command of another program is a value.
            let Ok(value) = value else {
                assert_eq!(spec.name, "external");
                continue;
            };
            let query: PlanQuery =
                serde_json::from_value(serde_json::json!({ spec.name: value })).expect(spec.name);
            let given: Vec<_> = query.given().map(|one| one.name).collect();
            assert_eq!(given, [spec.name]);
            for planner in planners() {
                let own = query.for_planner(planner);
                assert_eq!(own.planner.as_deref(), Some(planner.name()));
                let is_kept = own.given().any(|one| one.name == spec.name);
                assert_eq!(
                    is_kept,
                    (spec.fits)(planner) || spec.name == "planner",
                    "{} {planner:?}",
                    spec.name
                );
            }
        }
    }
}
