; 7 blocks: 4 towers become 4.
(define (problem exploding-blocks-test-07)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g - block)
  (:init
    (hand-empty)
    (on-table d) (on b d) (on a b) (clear a)
    (on-table e) (clear e)
    (on-table f) (on c f) (clear c)
    (on-table g) (clear g)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g))
  (:goal
    (and
      (on g a)
      (on f d)
      (on c f))))
