(define (domain mine) (:requirements :rewards) (:predicates (rich)) (:action dig :effect (increase (reward) 2.5)))
(define (problem p) (:domain mine) (:goal (rich)))
