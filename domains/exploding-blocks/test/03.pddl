; 4 blocks: 2 towers become 2.
(define (problem exploding-blocks-test-03)
  (:domain exploding-blocks)
  (:objects
    a b c d - block)
  (:init
    (hand-empty)
    (on-table a) (on c a) (on b c) (clear b)
    (on-table d) (clear d)
    (charged a) (charged b) (charged c) (charged d))
  (:goal
    (and
      (on c b)
      (on a d))))
