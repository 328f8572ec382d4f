; Crafting: everything is gathered or made. Some things are only gathered with the right tool in
; the bag, and some are only made beside the right station; a recipe uses its parts up.
(define (domain crafting)
  (:requirements :strips :typing :disjunctive-preconditions :existential-preconditions
    :universal-preconditions :conditional-effects)
  (:types place item)
  (:predicates
    (path ?from ?to - place)
    (part-of ?part ?item - item)
    (craftable ?item - item)
    (needs-tool ?item ?tool - item)
    (needs-station ?item ?station - item)
    (station ?item - item)
    (agent-at ?place - place)
    (found-at ?item - item ?place - place)
    (carried ?item - item)
    (placed ?item - item ?place - place)
    (unmade ?item - item))

  (:action go
    :parameters (?from ?to - place)
    :precondition (and
      (agent-at ?from)
      (path ?from ?to))
    :effect (and
      (agent-at ?to)
      (not (agent-at ?from))))

  (:action gather
    :parameters (?item - item ?place - place)
    :precondition (and
      (agent-at ?place)
      (found-at ?item ?place)
      (forall (?tool - item)
        (imply
          (needs-tool ?item ?tool)
          (carried ?tool))))
    :effect (and
      (carried ?item)
      (not (found-at ?item ?place))))

  (:action craft
    :parameters (?item - item ?place - place)
    :precondition (and
      (agent-at ?place)
      (craftable ?item)
      (unmade ?item)
      (forall (?part - item)
        (imply
          (part-of ?part ?item)
          (carried ?part)))
      (forall (?station - item)
        (imply
          (needs-station ?item ?station)
          (placed ?station ?place))))
    :effect (and
      (carried ?item)
      (not (unmade ?item))
      (forall (?part - item)
        (when
          (part-of ?part ?item)
          (not (carried ?part))))))

  (:action set-up
    :parameters (?item - item ?place - place)
    :precondition (and
      (agent-at ?place)
      (station ?item)
      (carried ?item))
    :effect (and
      (placed ?item ?place)
      (not (carried ?item)))))
