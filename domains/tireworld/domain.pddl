; Triangle tireworld: every drive may cost a tire, and spares lie only here and there.
; The direct way is short and has no spares; the way round over the top is safe.
(define (domain tireworld)
  (:requirements :strips :typing :negative-preconditions :probabilistic-effects)
  (:types location)
  (:predicates
    (road ?from ?to - location)
    (spare-in ?location - location)
    (vehicle-at ?location - location)
    (flat-tire))

  (:action move-car
    :parameters (?from ?to - location)
    :precondition (and
      (vehicle-at ?from)
      (road ?from ?to)
      (not (flat-tire)))
    :effect (and
      (vehicle-at ?to)
      (not (vehicle-at ?from))
      (probabilistic 1/2 (flat-tire))))

  (:action change-tire
    :parameters (?location - location)
    :precondition (and
      (vehicle-at ?location)
      (spare-in ?location)
      (flat-tire))
    :effect (and
      (not (spare-in ?location))
      (not (flat-tire)))))
