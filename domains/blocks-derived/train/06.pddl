; 5 blocks, 1 heavy and 1 of glass.
(define (problem blocks-derived-train-06)
  (:domain blocks-derived)
  (:objects
    a b c d e - block)
  (:init
    (heavy d)
    (glass b)
    (on-table c) (on a c)
    (on-table d)
    (on-table e) (on b e))
  (:goal
    (and
      (above c d)
      (above c e)
      (not (above b e))
      (clear c))))
