; 10 blocks: 3 towers become 2.
(define (problem exploding-blocks-test-09)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g h i j - block)
  (:init
    (hand-empty)
    (on-table a) (on e a) (on g e) (clear g)
    (on-table i) (clear i)
    (on-table j) (on b j) (on c b) (on d c) (on f d) (on h f) (clear h)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g)
    (charged h) (charged i) (charged j))
  (:goal
    (and
      (on i b)
      (on g i)
      (on a g)
      (on h a)
      (on f h)
      (on d f)
      (on c d)
      (on e c))))
