(define (domain growing) (:requirements :numeric-fluents) (:predicates (done)) (:functions (n))
  (:action grow :effect (scale-up (n) 1E150)) (:action finish :effect (done)))
(define (problem p) (:domain growing) (:init (= (n) 1)) (:goal (done)))
