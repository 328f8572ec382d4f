//! The diagnostic codes of finite-domain tasks.

herbrand_text::codes! {
    /// The kind of a fault: in a text of a finite-domain task, or in a problem that no such task can hold.
    pub enum SasCode: too many is TooMany, limit is Limit;
    Layout = "S0001", "a line is not what the format has there",
        "A text of a finite-domain task has its parts in a fixed order, each between a line `begin_…` and a line `end_…`, with \
         the number of parts of a kind before them.",
        "begin_state\n0\n1\nbegin_goal",
        "begin_state\n0\n1\nend_state\nbegin_goal";
    Number = "S0002", "a number is expected, or another number",
        "Counts, variables, values and costs are whole numbers from 0 to 2147483647; the layer of a variable that operators \
         change, and an old value that may be any, are -1.",
        "begin_metric\nyes\nend_metric",
        "begin_metric\n1\nend_metric";
    Version = "S0003", "the version is not 3",
        "Only version 3 of the format is read, which is what Fast Downward's translator has written since 2011.",
        "begin_version\n2\nend_version",
        "begin_version\n3\nend_version";
    UnknownVariable = "S0004", "there is no such variable",
        "Variables are numbered from 0 in the order in which the text lists them.",
        "begin_goal\n1\n7 0\nend_goal",
        "begin_goal\n1\n1 0\nend_goal";
    UnknownValue = "S0005", "the variable has no such value",
        "The values of a variable are numbered from 0 in the order in which the text lists them.",
        "begin_goal\n1\n1 4\nend_goal",
        "begin_goal\n1\n1 0\nend_goal";
    Layer = "S0006", "a derived variable or an axiom breaks the layers",
        "A derived variable has two values and a layer from 0. Only axioms change it, to the value that it does not have \
         initially. The condition of an axiom may name derived variables of lower layers, and of its own layer only with the \
         value that axioms give them.";
    Contradiction = "S0007", "a condition gives one variable two values",
        "A variable has one value at a time, so such a condition is never true.",
        "begin_goal\n2\n0 0\n0 1\nend_goal",
        "begin_goal\n1\n0 1\nend_goal";
    TooMany = "S0008", "there are more faults than are shown",
        "The first faults are shown; the others are only counted.";
    Limit = "S0009", "a limit is reached",
        "The text takes more memory or time than the limits allow. Raise them with `--memory` and `--time`.";
    Chance = "S0101", "a finite-domain task cannot have random outcomes",
        "Operators of a finite-domain task have one outcome. With `--determinize all-outcomes`, each outcome becomes an \
         operator; with `most-likely`, the likeliest one remains.",
        "(probabilistic 1/2 (open ?d))",
        "(open ?d)";
    Comparison = "S0102", "a finite-domain task cannot have conditions on numbers",
        "A finite-domain task has no numbers but the costs of its operators. A condition that compares numbers that change \
         must be written with atoms.",
        "(>= (fuel ?t) 1)",
        "(fuelled ?t)";
    Metric = "S0103", "a finite-domain task cannot have this metric or reward",
        "A finite-domain task has one cost for each operator, a whole number, and the best plan has the least sum. A metric that \
         is not such a sum cannot be written, nor can rewards. `--unit-costs` writes the task with the cost 1 for every \
         operator.",
        "(:metric maximize (reward))",
        "(:metric minimize (total-cost))";
}
