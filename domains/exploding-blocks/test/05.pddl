; 5 blocks: 2 towers become 3.
(define (problem exploding-blocks-test-05)
  (:domain exploding-blocks)
  (:objects
    a b c d e - block)
  (:init
    (hand-empty)
    (on-table c) (on b c) (on a b) (on d a) (clear d)
    (on-table e) (clear e)
    (charged a) (charged b) (charged c) (charged d) (charged e))
  (:goal
    (and
      (on c a)
      (on e b))))
