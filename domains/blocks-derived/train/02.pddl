; 3 blocks, 1 heavy and 0 of glass.
(define (problem blocks-derived-train-02)
  (:domain blocks-derived)
  (:objects
    a b c - block)
  (:init
    (heavy b)
    (on-table a)
    (on-table b)
    (on-table c))
  (:goal
    (and
      (above a b)
      (clear a))))
