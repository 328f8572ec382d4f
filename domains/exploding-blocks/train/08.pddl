; 7 blocks: 1 tower becomes 3.
(define (problem exploding-blocks-train-08)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g - block)
  (:init
    (hand-empty)
    (on-table f) (on c f) (on b c) (on g b) (on d g) (on a d) (on e a) (clear e)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g))
  (:goal
    (and
      (on e b)
      (on c e)
      (on f c)
      (on d g))))
