(define (domain tank) (:requirements :numeric-fluents) (:predicates (open) (done)) (:functions (level))
  (:action fill :precondition (open) :effect (assign (level) 3))
  (:action pour :effect (and (decrease (level) 1) (done))))
(define (problem p) (:domain tank) (:init) (:goal (done)))
