; 5 blocks: 2 towers become 2.
(define (problem exploding-blocks-train-06)
  (:domain exploding-blocks)
  (:objects
    a b c d e - block)
  (:init
    (hand-empty)
    (on-table a) (on d a) (on e d) (on c e) (clear c)
    (on-table b) (clear b)
    (charged a) (charged b) (charged c) (charged d) (charged e))
  (:goal
    (and
      (on c a)
      (on e c)
      (on d b))))
