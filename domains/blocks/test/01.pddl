; 2 blocks: 2 towers become 1.
(define (problem blocks-test-01)
  (:domain blocks)
  (:objects
    a b - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table b) (clear b))
  (:goal
    (on a b)))
