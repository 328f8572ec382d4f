(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (p)) (:functions (fuel) (load))
  (:action a :effect (and (p) (increase (fuel) (load)))) (:action b :effect (increase (load) 1)))
(define (problem p) (:domain d) (:init (= (fuel) 0) (= (load) 1)) (:goal (p)) (:metric minimize (fuel)))
