; 4 blocks: 1 tower becomes 3.
(define (problem exploding-blocks-train-04)
  (:domain exploding-blocks)
  (:objects
    a b c d - block)
  (:init
    (hand-empty)
    (on-table c) (on a c) (on d a) (on b d) (clear b)
    (charged a) (charged b) (charged c) (charged d))
  (:goal
    (on c a)))
