; Meet-pass: trains on a single track cross and overtake one another on the sidings.
(define (domain meet-pass)
  (:requirements :strips :typing)
  (:types train segment)
  (:predicates
    (connected ?from ?to - segment)
    (at ?train - train ?segment - segment)
    (clear ?segment - segment))

  (:action move
    :parameters (?train - train ?from ?to - segment)
    :precondition (and
      (at ?train ?from)
      (connected ?from ?to)
      (clear ?to))
    :effect (and
      (at ?train ?to)
      (clear ?from)
      (not (at ?train ?from))
      (not (clear ?to)))))
