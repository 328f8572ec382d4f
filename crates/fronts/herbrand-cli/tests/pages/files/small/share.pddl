(define (domain share) (:requirements :numeric-fluents) (:functions (left) (total))
  (:action divide :effect (assign (total) (/ 1 (left)))))
(define (problem none) (:domain share) (:init (= (left) 0) (= (total) 0)) (:goal (> (total) 1)))
