; 3 blocks: 1 towers become 2.
(define (problem blocks-train-02)
  (:domain blocks)
  (:objects
    a b c - block)
  (:init
    (hand-empty)
    (on-table c) (on a c) (on b a) (clear b))
  (:goal
    (and
      (on-table c)
      (on b c))))
