(define (domain d) (:requirements :numeric-fluents) (:predicates (p) (q)) (:functions (fuel-used))
  (:action a :effect (and (p) (increase (fuel-used) 1.2345e-7)))
  (:action b :precondition (p) :effect (and (q) (not (p)) (increase (fuel-used) 2.123456789))))
(define (problem p) (:domain d) (:init (= (fuel-used) 5)) (:goal (q)) (:metric minimize (fuel-used)))
