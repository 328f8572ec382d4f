//! One way to name a problem: `herbrand COMMAND DOMAIN [PROBLEM] [FILE]`, and the errors for other words.

use crate::run::Scratch;

/// A folder with the files of the pages, a plan and a trace.
fn files(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages/files");
    let made = scratch.shell(&format!(
        "cp -r {files}/lamps/* {files}/all.* {files}/small/road.pddl . && echo '(turn-on a)' > plan.txt && mkdir alone"
    ));
    assert_eq!(made.status, 0, "{}", made.stderr);
    scratch
}

#[test]
fn every_command_takes_a_domain_file_and_a_problem_file() {
    let scratch = files("words");
    let named = scratch.shell("herbrand show --domain domain.pddl --problem p.pddl");
    for words in [
        "domain.pddl p.pddl",
        "p.pddl domain.pddl",
        "p.pddl",
        "--domain domain.pddl p.pddl",
        "domain.pddl --problem p.pddl",
    ] {
        assert_eq!(
            scratch.shell(&format!("herbrand show {words}")).stdout,
            named.stdout,
            "{words}"
        );
    }
    for row in [
        "show all.pddl => ",
        "show all.rddl => ",
        "show all.rddl long => ",
        "show blocks 03 => ",
        "show blocks test/03 => ",
        "show blocks 3 => ",
        "ground domain.pddl p.pddl -o t.json => B of JSON\n",
        "ground domain.pddl p.pddl -o t.task => B of postcard\n",
        "ground all.rddl 2 => ",
        "plan domain.pddl p.pddl --time 10 -o found.plan => wrote found.plan, 1 step\n",
        "plan p.pddl => ",
        "plan domain.pddl p.pddl --planner lama-first => ",
        "plan domain.pddl p.pddl --planner 'astar(lmcut())' => ",
        "validate domain.pddl p.pddl plan.txt => ",
        "validate domain.pddl plan.txt --problem p.pddl => ",
        "validate --domain domain.pddl --problem p.pddl plan.txt => ",
        "validate blocks test/03 => ",
        "rollout domain.pddl p.pddl p.pddl --time 10 => ",
        "rollout all.rddl => ",
        "rollout blocks 01 gripper 02 => ",
        "rollout p.pddl => ",
        "record domain.pddl p.pddl --walks 3 -o walk.jsonl => wrote walk.jsonl, 3 walks\n",
        "replay domain.pddl p.pddl walk.jsonl => ",
        "render domain.pddl p.pddl -o state.png => wrote state.png, ",
        "render domain.pddl p.pddl p.pddl --sheet -o sheet.svg => ",
        "render domain.pddl p.pddl walk.jsonl -o walk.html => ",
        "render domain.pddl p.pddl --plan plan.txt -o plan.gif => ",
        "render domain.pddl p.pddl --plan plan.txt -o plan.html => wrote plan.html, 2 states",
        "datalog domain.pddl p.pddl => ",
        "edit domain.pddl p.pddl --schema => ",
    ] {
        let (line, report) = row.split_once(" => ").expect("an arrow");
        let run = scratch.shell(&format!("herbrand {line}"));
        assert_eq!(run.status, 0, "{line}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(report), "{line}: {}", run.stderr);
    }
}

/// Runs each line, which ends with status 2 and the message after the arrow.
pub fn refused(scratch: &Scratch, rows: &[&str]) {
    for row in rows {
        let (line, message) = row.split_once(" => ").expect("an arrow");
        let run = scratch.shell(&format!("herbrand {line}"));
        assert_eq!(run.status, 2, "{line}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(message), "{line}: {}", run.stderr);
    }
}

#[test]
fn options_of_other_tools_are_answered() {
    let rows = [
        "plan blocks --search 'astar(lmcut())' => --planner NAME`",
        "plan blocks --alias lama => --planner NAME`",
        "plan blocks --plan-file x => `--out FILE`",
        "plan blocks --overall-time-limit=5m => `--time SECONDS`",
        "rollout --num-episodes 7 => `--episodes N`",
        "plan blocks --random-seed 4 => `--seed N`",
        "plan blocks --max-time=5 => `--time SECONDS`",
        "plan blocks -t 5 => `--time SECONDS`",
        "plan blocks --cost-type one => by the metric",
        "plan blocks --num-plans 4 => one plan is found",
        "validate -v blocks => reports are always complete",
        "validate blocks --verbose => reports are always complete",
        "validate -t 0.1 blocks => no tolerance",
        "plan blocks --planner 'astar(ipdb())' => astar-lmcut is the strongest",
        "plan blocks --planner merge-and-shrink => astar-lmcut is the strongest",
        "--search 'astar(blind())' d.pddl => `herbrand plan --planner NAME`",
        "preprocess d.pddl p.pddl => `herbrand translate DOMAIN PROBLEM",
        "solve d.pddl p.pddl => `herbrand plan DOMAIN PROBLEM`",
        "d.pddl p.pddl => `herbrand plan d.pddl`",
        "plan gripper --planner 'astar(ff())' => A* takes heuristics that prove the optimum",
        "sokoban => `herbrand show sokoban`",
    ];
    let scratch = Scratch::new("words-tools");
    refused(&scratch, &rows);
    for planner in ["optimal", "lmcut", "astar(blind())", "hmax", "LAMA"] {
        let run = scratch.shell(&format!("herbrand plan gripper --planner '{planner}'"));
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        assert!(
            planner == "LAMA" || run.stdout.contains("proven optimal"),
            "{planner}"
        );
    }
}

#[test]
fn words_that_cannot_be_understood_are_named() {
    let scratch = files("words-faults");
    scratch.write("empty.pddl", "");
    scratch.write("comment.pddl", "; (define (problem p)\n");
    let rows = [
        "show domain.pddl => domain.pddl defines no problem: add a problem file",
        "show domain.pddl alone => domain.pddl defines no problem, and `alone` is a folder: add a problem file",
        "show domain.pddl morning => domain.pddl defines no problem, and `morning` is not a file",
        "show alon => did you mean `alone`?",
        "validate domain.pddl p.pddl alone => unexpected argument `alone`, which is a folder",
        "plan empty.pddl p.pddl => the text defines nothing",
        "plan comment.pddl p.pddl => the text defines nothing",
        "show domain.pddl empty.pddl => the text defines nothing",
        "validate plan.txt => plan.txt is a plan: name its domain and problem first",
        "render domain.pddl p.pddl --policy plan -o x.svg => give a plan file with --plan FILE, which `herbrand plan … --out FILE` writes",
        "render domain.pddl p.pddl -o nowhere/x.svg => nowhere/x.svg: the folder nowhere does not exist",
        "show all.rddl longer => counter has no problem `longer`",
        "show domain.pddl p.pddl road.pddl => unexpected argument 'road.pddl'",
        "show domain.pddl plan.txt => unexpected argument `plan.txt`",
        "show nowhere.pddl p.pddl => nowhere.pddl: No such file",
        "validate domain.pddl p.pddl => has no stored plan",
        "ground domain.pddl p.pddl -o out.sas => `herbrand translate` writes SAS+",
        "generate grid --size 4 => there is no generator `grid`; there is one for each of these bundled domains: ",
        "plan => name a domain: a file, a folder,",
        "render -o x.svg => name a domain: a file, a folder,",
        "plan domain.pddl p.pddl --time soon => write seconds, such as 10 or 0.5",
    ];
    refused(&scratch, &rows);
}

#[test]
fn bad_requests_end_with_status_2_and_a_message() {
    let rows = [
        "fly => unrecognized subcommand",
        "rollout --episodes 0 => invalid value",
        "rollout --threads 0 => not a number from 1 to 1024",
        "rollout --seconds -1 => unexpected argument",
        "rollout --seconds=-1 => not a positive number of seconds",
        "rollout sokobann => is not a bundled domain, folder or file; did you mean `sokoban`?",
        "rollout sokoban --problem 999 => sokoban has no problem `999`",
        "rollout --domain nowhere.pddl => nowhere.pddl: No such file",
        "ground --domain nowhere.pddl --problem p.pddl => nowhere.pddl: No such file",
        "ground search-and-rescue => search-and-rescue-1",
        "show => name a domain: a file, a folder,",
        "check nowhere.pddl => nowhere.pddl: No such file",
        "explain E9999 => the code `E9999`",
        "generate blocks => --size",
        "generate blocks --size 1 => blocks has problems of size 2 to 2000 (blocks), not 1",
        "generate blok --size 3 => no generator `blok`; did you mean `blocks`?",
        "generate blocks --size 3 --count 2 => --out",
        "generate blocks --size 3 --count 0 => invalid value",
        "replay nowhere.jsonl => nowhere.jsonl: No such file",
    ];
    refused(&Scratch::new("words-bad"), &rows);
}
