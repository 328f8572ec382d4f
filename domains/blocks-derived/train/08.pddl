; 7 blocks, 2 heavy and 1 of glass.
(define (problem blocks-derived-train-08)
  (:domain blocks-derived)
  (:objects
    a b c d e f g - block)
  (:init
    (heavy c) (heavy d)
    (glass b)
    (on-table d) (on b d) (on a b)
    (on-table e) (on f e)
    (on-table g) (on c g))
  (:goal
    (and
      (above a d)
      (above f g)
      (above g c)
      (not (above a b))
      (clear f)
      (clear a))))
