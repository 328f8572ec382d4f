; 3 blocks: 1 towers become 2.
(define (problem blocks-test-02)
  (:domain blocks)
  (:objects
    a b c - block)
  (:init
    (hand-empty)
    (on-table c) (on b c) (on a b) (clear a))
  (:goal
    (and
      (on-table c)
      (on a c))))
