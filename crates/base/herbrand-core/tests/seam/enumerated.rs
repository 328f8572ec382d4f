//! Enumerated joint actions.

use herbrand_core::{
    ActionField, ActionLayout, ActionTextError, BatchSystem, Choice, Described, Enumerated,
    EnumeratedObserver, Env, EnvOptions, EpisodeFault, Fact, FactValue, FieldDomain, FieldValue, Group,
    JointError, JointTable, PackedStates, Problems, Random, Snapshot, Status, System, TableError, Transition,
    Unobserved,
};
use proptest::prelude::*;

/// Dials that a step sets. The state is the index of a dial, which cannot be set.
#[derive(Clone, Debug)]
struct Dials {
    layout: ActionLayout,
    state: u32,
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum DialError {
    #[error(transparent)]
    Joint(#[from] JointError),
    #[error("dial {0} is stuck")]
    Stuck(u32),
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
}

impl System for Dials {
    type State = u32;
    type Error = DialError;

    fn reset(&mut self, _chance: &mut Random) -> Result<(), DialError> {
        self.state = 0;
        Ok(())
    }

    fn state(&self) -> &u32 {
        &self.state
    }

    fn set_state(&mut self, state: &u32) -> Result<(), DialError> {
        self.state = *state;
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        0
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.layout.check(joint).is_ok() && joint.iter().all(|choice| choice.field != self.state)
    }

    fn sample(&self, _random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        true
    }

    /// The next state is the index of the last dial set.
    fn step(&mut self, joint: &[Choice], _chance: &mut Random) -> Result<Transition, DialError> {
        self.layout.check(joint)?;
        if let Some(stuck) = joint.iter().find(|choice| choice.field == self.state) {
            return Err(DialError::Stuck(stuck.field));
        }
        self.state = joint.last().map_or(0, |choice| choice.field);
        Ok(Transition {
            reward: joint.len() as f64,
            status: Status::default(),
        })
    }

    fn status(&self) -> Status {
        Status::default()
    }
}

impl BatchSystem for Dials {}

impl Described for Dials {
    fn choice_text(&self, choice: Choice) -> String {
        format!("{}={:?}", choice.field, choice.value)
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        let (field, value) = text
            .split_once('=')
            .ok_or_else(|| ActionTextError::new("no value"))?;
        let number = |text: &str| {
            let parsed = text.trim().parse::<u32>();
            parsed.map_err(|error| ActionTextError::new(error.to_string()))
        };
        Ok(Choice {
            field: number(field)?,
            value: FieldValue::Discrete(number(value)?),
        })
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        visit(Fact {
            group: Group::Fluent,
            name: "last",
            arguments: &[],
            value: FactValue::Int(i64::from(self.state)),
        });
    }
}

#[derive(Clone, Debug)]
struct Boards(ActionLayout);

impl Problems for Boards {
    type System = Dials;
    type Error = DialError;

    fn name(&self) -> &str {
        "boards"
    }

    fn len(&self) -> usize {
        1
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        (index == 0).then(|| "board".to_owned())
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        Some(9)
    }

    fn system(&self, _index: usize) -> Result<Dials, DialError> {
        Ok(Dials {
            layout: self.0.clone(),
            state: 0,
        })
    }
}

impl PackedStates for Boards {
    fn pack(state: &u32) -> Vec<u8> {
        state.to_le_bytes().to_vec()
    }

    fn unpack(&self, _problem: usize, bytes: &[u8]) -> Option<u32> {
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
}

fn dial(count: u32, default: Option<u32>) -> ActionField {
    ActionField {
        name: format!("dial-{count}"),
        domain: FieldDomain::Discrete { count },
        default: default.map(FieldValue::Discrete),
    }
}

/// A dial that takes the ints from -1 to `high`.
fn scale(high: i64) -> ActionField {
    ActionField {
        name: format!("scale-{high}"),
        domain: FieldDomain::Int { low: -1, high },
        default: Some(FieldValue::Int(0)),
    }
}

/// All assignments of values to fields, as lists of the choices that differ from the defaults.
fn all_joints(layout: &ActionLayout) -> Vec<Vec<Choice>> {
    let mut joints = vec![Vec::new()];
    for (field, number) in layout.fields().iter().zip(0..) {
        let values: Vec<FieldValue> = match field.domain {
            FieldDomain::Discrete { count } => (0..count).map(FieldValue::Discrete).collect(),
            FieldDomain::Int { low, high } => (low..=high).map(FieldValue::Int).collect(),
            FieldDomain::Real { .. } => panic!("no reals"),
        };
        joints = values
            .into_iter()
            .flat_map(|value| {
                let choice = Choice { field: number, value };
                let is_default = field.default == Some(value);
                joints.iter().map(move |joint: &Vec<Choice>| {
                    let added = (!is_default).then_some(choice);
                    joint.iter().copied().chain(added).collect()
                })
            })
            .collect();
    }
    joints.retain(|joint: &Vec<Choice>| layout.check(joint).is_ok());
    joints
}

fn layouts() -> impl Strategy<Value = ActionLayout> {
    let field = (1_u32..4, proptest::option::weighted(0.8, 0_u32..4));
    let field = field.prop_map(|(count, default)| dial(count, default.map(|value| value % count)));
    let field = prop_oneof![4 => field, 1 => (0_i64..2).prop_map(scale)];
    (proptest::collection::vec(field, 0..5), 0_usize..6)
        .prop_map(|(fields, most)| ActionLayout::new(fields, most))
}

proptest! {
    #[test]
    fn tables_hold_every_joint_action_once(layout in layouts()) {
        let table = JointTable::of(&layout, usize::MAX).expect("discrete fields");
        let found: Vec<Vec<Choice>> = (0..table.len()).map(|number| table.joint(number).to_vec()).collect();
        let mut expected = all_joints(&layout);
        let key = |joint: &Vec<Choice>| {
            (joint.len(), joint.iter().map(|choice| (choice.field, format!("{:?}", choice.value))).collect::<Vec<_>>())
        };
        expected.sort_by_key(key);
        prop_assert_eq!(&found, &expected);
        for (number, joint) in found.iter().enumerate() {
            prop_assert_eq!(table.number(joint), Some(number));
        }
        prop_assert_eq!(table.layout().as_single(), Some(table.len()));
        if let Some(limit) = table.len().checked_sub(1) {
            prop_assert_eq!(JointTable::of(&layout, limit), Err(TableError::TooMany { limit }));
        }
    }

    #[test]
    fn enumerated_systems_do_what_the_system_does(layout in layouts(), seed in 0_u64..1000) {
        let boards = Boards(layout);
        let problems = Enumerated::new(boards.clone(), usize::MAX).expect("discrete fields");
        let mut inner = boards.system(0).expect("a board");
        let mut system = problems.system(0).expect("a board");
        let (mut random, mut joint) = (Random::new(seed), Vec::new());
        for _ in 0..8 {
            let table = system.table().clone();
            let valid: Vec<bool> = (0..table.len()).map(|number| inner.is_valid(table.joint(number))).collect();
            let mut mask = vec![9; table.len() + 1];
            system.write_mask(&mut mask);
            let expected = valid.iter().map(|&valid| u8::from(valid)).chain([0]);
            prop_assert_eq!(&mask, &expected.collect::<Vec<_>>());
            let count = valid.iter().filter(|&&valid| valid).count();
            prop_assert_eq!(system.choice_count(), count);
            system.choices(&mut joint);
            prop_assert_eq!(joint.len(), count);
            let sampled = system.sample(&mut random, &mut joint);
            prop_assert_eq!(sampled, count > 0);
            for (&valid, number) in valid.iter().zip(0..) {
                prop_assert_eq!(system.is_valid(&[Choice::discrete(number)]), valid);
            }
            if !sampled {
                break;
            }
            let number = joint[0].alternative().expect("an alternative") as usize;
            prop_assert!(valid[number]);
            let (mut chance, mut other) = (Random::new(1), Random::new(1));
            prop_assert_eq!(
                system.step(&joint, &mut chance),
                inner.step(table.joint(number), &mut other)
            );
            prop_assert_eq!(system.state(), inner.state());
        }
    }
}

#[test]
fn what_is_no_joint_action_is_refused() {
    let layout = ActionLayout::new(vec![dial(2, Some(0)), dial(3, Some(1))], 1);
    let problems = Enumerated::new(Boards(layout), 10).expect("discrete fields");
    let mut system = problems.system(0).expect("a board");
    let unknown = Choice::discrete(4);
    assert_eq!(system.table().len(), 4);
    assert!(!system.is_valid(&[unknown]) && !system.is_valid(&[]));
    let (text, mut chance) = (system.choice_text(Choice::discrete(2)), Random::new(1));
    assert_eq!(text, "1=Discrete(0)");
    assert!(matches!(
        system.step(&[unknown], &mut chance),
        Err(DialError::Joint(_))
    ));
    assert_eq!(system.parse_choice("1=2"), Ok(Choice::discrete(3)));
    assert_eq!(system.parse_choice("()"), Ok(Choice::discrete(0)));
    assert_eq!(system.parse_choice("0=0, 1=1"), Ok(Choice::discrete(0)));
    assert!(system.parse_choice("0=1, 1=2").is_err());
    let real = (FieldDomain::Real { low: 0.0, high: 1.0 }, FieldValue::Real(0.0));
    let high = i64::MAX;
    let open = (FieldDomain::Int { low: 0, high }, FieldValue::Int(0));
    for (domain, default) in [real, open] {
        let number = ActionField {
            name: "speed".to_owned(),
            domain,
            default: Some(default),
        };
        let error = Enumerated::new(Boards(ActionLayout::new(vec![number], 1)), 10).expect_err("a number");
        assert_eq!(
            error.to_string(),
            "board: `speed` takes infinitely many values, so joint actions cannot be numbered"
        );
    }
    // All ints from the smallest to the largest but one have two bounds.
    let many = ActionField {
        domain: FieldDomain::Int {
            low: 1 - high,
            high: high - 1,
        },
        ..scale(1)
    };
    let table = JointTable::of(&ActionLayout::new(vec![many], 1), 10);
    assert_eq!(table, Err(TableError::TooMany { limit: 10 }));
}

#[test]
fn snapshots_and_environments_work() {
    let layout = ActionLayout::new(vec![dial(2, Some(0)), dial(3, Some(1))], 2);
    let problems = Enumerated::new(Boards(layout), 10).expect("discrete fields");
    let mut env =
        Env::observed(problems, EnumeratedObserver(Unobserved), EnvOptions::default()).expect("a board");
    env.reset(Some(3)).expect("a reset");
    let joint = env.sample().expect("an episode").expect("a valid action");
    env.step(&*joint).expect("a step");
    let saved = env.save().expect("an episode");
    let bytes = saved.pack::<Enumerated<Boards>>();
    assert_eq!(Snapshot::unpack(env.problems(), &bytes), Some(saved));
}
