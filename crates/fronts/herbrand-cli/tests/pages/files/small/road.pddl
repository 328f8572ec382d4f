(define (domain road) (:requirements :action-costs) (:predicates (there)) (:functions (total-cost))
  (:action go :effect (and (there) (increase (total-cost) 2.5))))
(define (problem one) (:domain road) (:init (= (total-cost) 0)) (:goal (there)) (:metric minimize (total-cost)))
