; Hiking: a walker crosses open country. Water cannot be crossed, a climb onto a hill needs rested
; legs, and the walker can rest only in huts.
(define (domain hiking)
  (:requirements :strips :typing :negative-preconditions)
  (:types place)
  (:predicates
    (adjacent ?from ?to - place)
    (hill ?place - place)
    (water ?place - place)
    (hut ?place - place)
    (at ?place - place)
    (seen ?place - place)
    (rested))

  (:action walk
    :parameters (?from ?to - place)
    :precondition (and
      (at ?from)
      (adjacent ?from ?to)
      (not (hill ?to))
      (not (water ?to)))
    :effect (and
      (at ?to)
      (seen ?to)
      (not (at ?from))))

  (:action climb
    :parameters (?from ?to - place)
    :precondition (and
      (at ?from)
      (adjacent ?from ?to)
      (hill ?to)
      (rested))
    :effect (and
      (at ?to)
      (seen ?to)
      (not (at ?from))
      (not (rested))))

  (:action rest
    :parameters (?place - place)
    :precondition (and
      (at ?place)
      (hut ?place)
      (not (rested)))
    :effect (rested)))
