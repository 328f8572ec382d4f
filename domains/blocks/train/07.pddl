; 7 blocks: 2 towers become 4.
(define (problem blocks-train-07)
  (:domain blocks)
  (:objects
    a b c d e f g - block)
  (:init
    (hand-empty)
    (on-table b) (on e b) (on f e) (clear f)
    (on-table d) (on g d) (on c g) (on a c) (clear a))
  (:goal
    (and
      (on e a)
      (on f c)
      (on d g))))
