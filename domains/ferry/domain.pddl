; Ferry: a boat with room for one car serves a few harbours.
(define (domain ferry)
  (:requirements :strips :typing)
  (:types harbour car)
  (:predicates
    (route ?from ?to - harbour)
    (ferry-at ?harbour - harbour)
    (at ?car - car ?harbour - harbour)
    (empty)
    (aboard ?car - car))

  (:action sail
    :parameters (?from ?to - harbour)
    :precondition (and
      (ferry-at ?from)
      (route ?from ?to))
    :effect (and
      (ferry-at ?to)
      (not (ferry-at ?from))))

  (:action board
    :parameters (?car - car ?harbour - harbour)
    :precondition (and
      (ferry-at ?harbour)
      (at ?car ?harbour)
      (empty))
    :effect (and
      (aboard ?car)
      (not (at ?car ?harbour))
      (not (empty))))

  (:action debark
    :parameters (?car - car ?harbour - harbour)
    :precondition (and
      (ferry-at ?harbour)
      (aboard ?car))
    :effect (and
      (at ?car ?harbour)
      (empty)
      (not (aboard ?car)))))
