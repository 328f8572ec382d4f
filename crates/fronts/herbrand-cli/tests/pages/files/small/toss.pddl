(define (domain toss) (:requirements :probabilistic-effects) (:predicates (up) (won))
  (:action toss :effect (probabilistic 7/10 (up))) (:action bet :precondition (up) :effect (won)))
(define (problem p) (:domain toss) (:init) (:goal (up)))
