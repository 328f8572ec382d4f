(define (domain gamble) (:requirements :probabilistic-effects :negative-preconditions) (:predicates (won) (lost))
  (:action try :precondition (not (lost)) :effect (probabilistic 1/4 (won) 1/4 (lost))))
(define (problem p) (:domain gamble) (:init) (:goal (won)))
