; 6 blocks: 3 towers become 3.
(define (problem blocks-train-06)
  (:domain blocks)
  (:objects
    a b c d e f - block)
  (:init
    (hand-empty)
    (on-table b) (clear b)
    (on-table c) (on f c) (on d f) (on a d) (clear a)
    (on-table e) (clear e))
  (:goal
    (and
      (on-table a)
      (on-table e)
      (on c e)
      (on d c)
      (on b d)
      (on-table f))))
