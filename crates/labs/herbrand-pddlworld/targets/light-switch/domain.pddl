; A switch on the wall, and the lamp that it lights.
(define (domain light-switch)
  (:requirements :strips :negative-preconditions)
  (:predicates
    (on)
    (lit))

  (:action turn-on
    :precondition (not (on))
    :effect (and
      (on)
      (lit)))

  (:action turn-off
    :precondition (on)
    :effect (and
      (not (on))
      (not (lit)))))
