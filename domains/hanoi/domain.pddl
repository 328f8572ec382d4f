; Hanoi: discs move between pegs one at a time, and never onto a smaller disc.
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types
    place - object
    disc peg - place)
  (:predicates
    (fits ?disc - disc ?place - place) ; the place is a peg or a larger disc
    (on ?disc - disc ?place - place)
    (clear ?place - place))

  (:action move
    :parameters (?disc - disc ?from ?to - place)
    :precondition (and
      (fits ?disc ?to)
      (on ?disc ?from)
      (clear ?disc)
      (clear ?to))
    :effect (and
      (on ?disc ?to)
      (clear ?from)
      (not (on ?disc ?from))
      (not (clear ?to)))))
