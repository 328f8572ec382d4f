; Newspapers: a carrier fetches papers at the press and brings each house the title it reads.
(define (domain newspapers)
  (:requirements :strips :typing)
  (:types place paper title)
  (:predicates
    (street ?from ?to - place)
    (press ?place - place)
    (issue ?paper - paper ?title - title)
    (reads ?place - place ?title - title)
    (at ?place - place)
    (stacked ?paper - paper)
    (carrying ?paper - paper)
    (waiting ?place - place)
    (satisfied ?place - place))

  (:action move
    :parameters (?from ?to - place)
    :precondition (and
      (at ?from)
      (street ?from ?to))
    :effect (and
      (at ?to)
      (not (at ?from))))

  (:action pick-up
    :parameters (?paper - paper ?place - place)
    :precondition (and
      (at ?place)
      (press ?place)
      (stacked ?paper))
    :effect (and
      (carrying ?paper)
      (not (stacked ?paper))))

  (:action deliver
    :parameters (?paper - paper ?title - title ?place - place)
    :precondition (and
      (at ?place)
      (waiting ?place)
      (reads ?place ?title)
      (carrying ?paper)
      (issue ?paper ?title))
    :effect (and
      (satisfied ?place)
      (not (waiting ?place))
      (not (carrying ?paper)))))
