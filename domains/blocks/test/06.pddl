; 8 blocks: 2 towers become 3.
(define (problem blocks-test-06)
  (:domain blocks)
  (:objects
    a b c d e f g h - block)
  (:init
    (hand-empty)
    (on-table b) (on g b) (on f g) (on c f) (on e c) (clear e)
    (on-table h) (on a h) (on d a) (clear d))
  (:goal
    (and
      (on-table a)
      (on d a)
      (on f d)
      (on b f)
      (on c b)
      (on g c)
      (on-table e)
      (on-table h))))
