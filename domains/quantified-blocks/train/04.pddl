; 4 blocks in 3 colours.
(define (problem quantified-blocks-train-04)
  (:domain quantified-blocks)
  (:objects
    a b c d - block)
  (:init
    (red b) (red c)
    (green a)
    (blue d)
    (on-table a) (on b a)
    (on-table c) (on d c))
  (:goal
    (exists (?top ?middle ?bottom - block)
      (and
        (green ?top)
        (on ?top ?middle)
        (on ?middle ?bottom)
        (blue ?bottom)))))
