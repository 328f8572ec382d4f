(define (domain visitall)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates (next ?from ?to - cell)
               (at ?cell - cell)
               (visited ?cell - cell))

  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (next ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (visited ?to))))
