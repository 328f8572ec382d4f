; 4 blocks: 3 towers become 1.
(define (problem blocks-train-04)
  (:domain blocks)
  (:objects
    a b c d - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table b) (on d b) (clear d)
    (on-table c) (clear c))
  (:goal
    (and
      (on-table d)
      (on b d)
      (on c b)
      (on a c))))
