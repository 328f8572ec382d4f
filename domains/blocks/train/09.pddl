; 10 blocks: 2 towers become 3.
(define (problem blocks-train-09)
  (:domain blocks)
  (:objects
    a b c d e f g h i j - block)
  (:init
    (hand-empty)
    (on-table e) (on f e) (on b f) (on a b) (on c a) (on d c) (clear d)
    (on-table h) (on j h) (on i j) (on g i) (clear g))
  (:goal
    (and
      (on g a)
      (on f g)
      (on j f)
      (on-table c)
      (on b h)
      (on i b)
      (on e i)
      (on d e))))
