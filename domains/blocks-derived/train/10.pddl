; 9 blocks, 3 heavy and 2 of glass.
(define (problem blocks-derived-train-10)
  (:domain blocks-derived)
  (:objects
    a b c d e f g h i - block)
  (:init
    (heavy c) (heavy d) (heavy f)
    (glass b) (glass i)
    (on-table d) (on b d) (on g b) (on h g) (on i h)
    (on-table e) (on a e)
    (on-table f) (on c f))
  (:goal
    (and
      (above b a)
      (above c a)
      (above h a)
      (above h g)
      (not (above g b))
      (not (above i g))
      (clear h))))
