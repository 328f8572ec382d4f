; 4 blocks: 2 towers become 2.
(define (problem exploding-blocks-train-05)
  (:domain exploding-blocks)
  (:objects
    a b c d - block)
  (:init
    (hand-empty)
    (on-table a) (on d a) (on c d) (clear c)
    (on-table b) (clear b)
    (charged a) (charged b) (charged c) (charged d))
  (:goal
    (and
      (on a c)
      (on d a))))
