(define (domain tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates (next ?from ?to - cell)
               (at ?tile - tile ?cell - cell)
               (blank ?cell - cell))

  (:action slide
    :parameters (?tile - tile ?from ?to - cell)
    :precondition (and (at ?tile ?from) (next ?from ?to) (blank ?to))
    :effect (and (not (at ?tile ?from)) (not (blank ?to)) (at ?tile ?to) (blank ?from))))
