; 6 blocks: 2 towers become 3.
(define (problem exploding-blocks-test-06)
  (:domain exploding-blocks)
  (:objects
    a b c d e f - block)
  (:init
    (hand-empty)
    (on-table a) (on f a) (on e f) (on c e) (clear c)
    (on-table b) (on d b) (clear d)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f))
  (:goal
    (and
      (on d c)
      (on a e)
      (on b a))))
