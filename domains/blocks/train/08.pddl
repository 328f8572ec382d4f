; 8 blocks: 2 towers become 5.
(define (problem blocks-train-08)
  (:domain blocks)
  (:objects
    a b c d e f g h - block)
  (:init
    (hand-empty)
    (on-table b) (clear b)
    (on-table e) (on c e) (on h c) (on d h) (on a d) (on f a) (on g f) (clear g))
  (:goal
    (and
      (on-table a)
      (on d a)
      (on f d)
      (on-table b)
      (on h b))))
