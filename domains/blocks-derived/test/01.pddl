; 2 blocks, 0 heavy and 0 of glass.
(define (problem blocks-derived-test-01)
  (:domain blocks-derived)
  (:objects
    a b - block)
  (:init
    (on-table b) (on a b))
  (:goal
    (above b a)))
