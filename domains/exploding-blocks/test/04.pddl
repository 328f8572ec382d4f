; 4 blocks: 2 towers become 2.
(define (problem exploding-blocks-test-04)
  (:domain exploding-blocks)
  (:objects
    a b c d - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table d) (on b d) (on c b) (clear c)
    (charged a) (charged b) (charged c) (charged d))
  (:goal
    (and
      (on d b)
      (on a c))))
