; TSP: a round trip that comes through every city exactly once and ends where it began.
(define (domain tsp)
  (:requirements :strips :typing)
  (:types city)
  (:predicates
    (road ?from ?to - city)
    (home ?city - city)
    (in ?city - city)
    (unvisited ?city - city)
    (visited ?city - city)
    (complete))

  (:action travel
    :parameters (?from ?to - city)
    :precondition (and
      (in ?from)
      (road ?from ?to)
      (unvisited ?to))
    :effect (and
      (in ?to)
      (visited ?to)
      (not (in ?from))
      (not (unvisited ?to))))

  (:action return
    :parameters (?from ?home - city)
    :precondition (and
      (in ?from)
      (road ?from ?home)
      (home ?home))
    :effect (and
      (in ?home)
      (complete)
      (not (in ?from)))))
