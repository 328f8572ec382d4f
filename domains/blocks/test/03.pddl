; 4 blocks: 2 towers become 2.
(define (problem blocks-test-03)
  (:domain blocks)
  (:objects
    a b c d - block)
  (:init
    (hand-empty)
    (on-table c) (on b c) (on a b) (clear a)
    (on-table d) (clear d))
  (:goal
    (and
      (on-table a)
      (on c d)
      (on b c))))
