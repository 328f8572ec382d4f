; 5 blocks: 2 towers become 2.
(define (problem blocks-train-05)
  (:domain blocks)
  (:objects
    a b c d e - block)
  (:init
    (hand-empty)
    (on-table d) (on b d) (clear b)
    (on-table e) (on a e) (on c a) (clear c))
  (:goal
    (and
      (on a b)
      (on c d)
      (on e c))))
