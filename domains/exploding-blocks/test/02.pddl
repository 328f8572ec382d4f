; 3 blocks: 2 towers become 1.
(define (problem exploding-blocks-test-02)
  (:domain exploding-blocks)
  (:objects
    a b c - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table c) (on b c) (clear b)
    (charged a) (charged b) (charged c))
  (:goal
    (and
      (on c b)
      (on a c))))
