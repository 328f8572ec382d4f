; a comment before (define (problem
(define (domain one) (:predicates (done)) (:action finish :effect (done)))
(define (problem now) (:domain one) (:goal (done)))
