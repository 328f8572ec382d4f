; 5 blocks: 2 towers become 2.
(define (problem blocks-test-04)
  (:domain blocks)
  (:objects
    a b c d e - block)
  (:init
    (hand-empty)
    (on-table c) (on e c) (on a e) (clear a)
    (on-table d) (on b d) (clear b))
  (:goal
    (and
      (on-table c)
      (on d c)
      (on a d)
      (on e a))))
