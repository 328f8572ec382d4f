; 9 blocks, 3 heavy and 2 of glass.
(define (problem blocks-derived-test-08)
  (:domain blocks-derived)
  (:objects
    a b c d e f g h i - block)
  (:init
    (heavy a) (heavy b) (heavy h)
    (glass d) (glass f)
    (on-table a)
    (on-table d)
    (on-table e) (on c e)
    (on-table h) (on g h) (on b g) (on i b) (on f i))
  (:goal
    (and
      (above a c)
      (above a e)
      (above c e)
      (above g i)
      (not (above f i))
      (not (above i g))
      (clear a)
      (clear g))))
