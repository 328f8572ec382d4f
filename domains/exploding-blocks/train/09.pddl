; 8 blocks: 3 towers become 4.
(define (problem exploding-blocks-train-09)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g h - block)
  (:init
    (hand-empty)
    (on-table a) (on b a) (clear b)
    (on-table c) (clear c)
    (on-table g) (on h g) (on d h) (on e d) (on f e) (clear f)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g)
    (charged h))
  (:goal
    (and
      (on f d)
      (on a f)
      (on g h)
      (on b g))))
