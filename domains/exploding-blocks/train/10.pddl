; 10 blocks: 2 towers become 5.
(define (problem exploding-blocks-train-10)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g h i j - block)
  (:init
    (hand-empty)
    (on-table a) (on e a) (on j e) (on g j) (clear g)
    (on-table d) (on f d) (on c f) (on h c) (on b h) (on i b) (clear i)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g)
    (charged h) (charged i) (charged j))
  (:goal
    (and
      (on a c)
      (on b d)
      (on g b)
      (on h f)
      (on j h))))
