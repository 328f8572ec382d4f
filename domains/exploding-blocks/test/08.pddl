; 8 blocks: 3 towers become 4.
(define (problem exploding-blocks-test-08)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g h - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table c) (on b c) (on g b) (clear g)
    (on-table e) (on f e) (on d f) (on h d) (clear h)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g)
    (charged h))
  (:goal
    (and
      (on d a)
      (on g b)
      (on e g)
      (on f e))))
