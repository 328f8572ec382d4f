; 3 blocks, 1 heavy and 0 of glass.
(define (problem blocks-derived-train-03)
  (:domain blocks-derived)
  (:objects
    a b c - block)
  (:init
    (heavy b)
    (on-table b) (on c b) (on a c))
  (:goal
    (above c a)))
