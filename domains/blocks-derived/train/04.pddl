; 4 blocks, 1 heavy and 1 of glass.
(define (problem blocks-derived-train-04)
  (:domain blocks-derived)
  (:objects
    a b c d - block)
  (:init
    (heavy c)
    (glass b)
    (on-table a) (on c a) (on b c)
    (on-table d))
  (:goal
    (and
      (above a b)
      (above d b)
      (not (above c a))
      (clear d))))
