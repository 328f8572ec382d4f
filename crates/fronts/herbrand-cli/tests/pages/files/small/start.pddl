(define (domain d) (:requirements :probabilistic-effects) (:predicates (p) (q))
  (:action a :effect (probabilistic 0.5 (p))))
(define (problem p) (:domain d) (:init (probabilistic 0.5 (q))) (:goal (and (p) (q))))
