; 6 blocks: 3 towers become 3.
(define (problem exploding-blocks-train-07)
  (:domain exploding-blocks)
  (:objects
    a b c d e f - block)
  (:init
    (hand-empty)
    (on-table a) (on e a) (clear e)
    (on-table b) (on f b) (clear f)
    (on-table c) (on d c) (clear d)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f))
  (:goal
    (and
      (on e b)
      (on d e)
      (on f c))))
