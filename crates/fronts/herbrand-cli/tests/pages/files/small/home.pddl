(define (problem home) (:domain roads) (:objects a b c) (:init (at a) (road b c)) (:goal (at c)))
