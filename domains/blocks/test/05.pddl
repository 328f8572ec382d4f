; 6 blocks: 3 towers become 2.
(define (problem blocks-test-05)
  (:domain blocks)
  (:objects
    a b c d e f - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table d) (on e d) (on b e) (on c b) (clear c)
    (on-table f) (clear f))
  (:goal
    (and
      (on d a)
      (on c d)
      (on b c)
      (on f e))))
