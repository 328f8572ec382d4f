; 3 blocks: 2 towers become 2.
(define (problem exploding-blocks-train-02)
  (:domain exploding-blocks)
  (:objects
    a b c - block)
  (:init
    (hand-empty)
    (on-table b) (on a b) (clear a)
    (on-table c) (clear c)
    (charged a) (charged b) (charged c))
  (:goal
    (on a c)))
