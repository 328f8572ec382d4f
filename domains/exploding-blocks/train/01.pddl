; 2 blocks: 2 towers become 1.
(define (problem exploding-blocks-train-01)
  (:domain exploding-blocks)
  (:objects
    a b - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table b) (clear b)
    (charged a) (charged b))
  (:goal
    (on b a)))
