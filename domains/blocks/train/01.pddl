; 2 blocks: 1 towers become 1.
(define (problem blocks-train-01)
  (:domain blocks)
  (:objects
    a b - block)
  (:init
    (hand-empty)
    (on-table a) (on b a) (clear b))
  (:goal
    (on a b)))
