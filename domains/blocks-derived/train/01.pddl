; 2 blocks, 0 heavy and 0 of glass.
(define (problem blocks-derived-train-01)
  (:domain blocks-derived)
  (:objects
    a b - block)
  (:init
    (on-table a)
    (on-table b))
  (:goal
    (above b a)))
