; 8 blocks, 2 heavy and 2 of glass.
(define (problem blocks-derived-train-09)
  (:domain blocks-derived)
  (:objects
    a b c d e f g h - block)
  (:init
    (heavy a) (heavy d)
    (glass e) (glass h)
    (on-table a)
    (on-table c) (on g c)
    (on-table d)
    (on-table e) (on b e)
    (on-table h) (on f h))
  (:goal
    (and
      (above e b)
      (above f d)
      (above f h)
      (above h d)
      (not (above b e))
      (not (above g c)))))
