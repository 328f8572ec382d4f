; Spanner: a mechanic walks a one-way lane to a gate with loose nuts. Every spanner breaks after one
; nut, and the mechanic cannot go back for a spanner that was left behind.
(define (domain spanner)
  (:requirements :strips :typing)
  (:types place spanner nut)
  (:predicates
    (lane ?from ?to - place)
    (mechanic-at ?place - place)
    (spanner-at ?spanner - spanner ?place - place)
    (nut-at ?nut - nut ?place - place)
    (carrying ?spanner - spanner)
    (usable ?spanner - spanner)
    (loose ?nut - nut)
    (tight ?nut - nut))

  (:action walk
    :parameters (?from ?to - place)
    :precondition (and
      (mechanic-at ?from)
      (lane ?from ?to))
    :effect (and
      (mechanic-at ?to)
      (not (mechanic-at ?from))))

  (:action pick-up
    :parameters (?spanner - spanner ?place - place)
    :precondition (and
      (mechanic-at ?place)
      (spanner-at ?spanner ?place))
    :effect (and
      (carrying ?spanner)
      (not (spanner-at ?spanner ?place))))

  (:action tighten
    :parameters (?nut - nut ?spanner - spanner ?place - place)
    :precondition (and
      (mechanic-at ?place)
      (nut-at ?nut ?place)
      (loose ?nut)
      (carrying ?spanner)
      (usable ?spanner))
    :effect (and
      (tight ?nut)
      (not (loose ?nut))
      (not (usable ?spanner)))))
