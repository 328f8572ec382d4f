; 10 blocks, 3 heavy and 2 of glass.
(define (problem blocks-derived-test-09)
  (:domain blocks-derived)
  (:objects
    a b c d e f g h i j - block)
  (:init
    (heavy f) (heavy g) (heavy h)
    (glass b) (glass i)
    (on-table a) (on c a) (on e c)
    (on-table f) (on d f)
    (on-table g)
    (on-table h) (on b h) (on j b)
    (on-table i))
  (:goal
    (and
      (above c j)
      (above d a)
      (above d j)
      (above f a)
      (above g f)
      (not (above j b))
      (not (above j h)))))
