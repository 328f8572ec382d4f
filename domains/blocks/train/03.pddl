; 3 blocks: 2 towers become 2.
(define (problem blocks-train-03)
  (:domain blocks)
  (:objects
    a b c - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table b) (on c b) (clear c))
  (:goal
    (and
      (on-table a)
      (on b c))))
