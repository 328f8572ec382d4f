(define (domain rain) (:requirements :probabilistic-effects) (:predicates (wet) (won))
  (:action splash :effect (probabilistic 1/2 (wet) 1/2 (and (wet) (not (won))))) (:action win :effect (won)))
(define (problem p) (:domain rain) (:init (wet)) (:goal (won)))
