; 12 blocks: 6 towers become 4.
(define (problem blocks-train-10)
  (:domain blocks)
  (:objects
    a b c d e f g h i j k l - block)
  (:init
    (hand-empty)
    (on-table b) (clear b)
    (on-table c) (on j c) (on h j) (on a h) (on g a) (clear g)
    (on-table e) (clear e)
    (on-table f) (on d f) (clear d)
    (on-table i) (on k i) (clear k)
    (on-table l) (clear l))
  (:goal
    (and
      (on-table b)
      (on c b)
      (on-table d)
      (on f d)
      (on a f)
      (on i a)
      (on-table j)
      (on e j)
      (on k e)
      (on g k)
      (on l g))))
