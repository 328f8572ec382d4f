; 2 blocks: 1 tower becomes 1.
(define (problem exploding-blocks-test-01)
  (:domain exploding-blocks)
  (:objects
    a b - block)
  (:init
    (hand-empty)
    (on-table a) (on b a) (clear b)
    (charged a) (charged b))
  (:goal
    (on a b)))
