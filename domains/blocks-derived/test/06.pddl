; 7 blocks, 2 heavy and 1 of glass.
(define (problem blocks-derived-test-06)
  (:domain blocks-derived)
  (:objects
    a b c d e f g - block)
  (:init
    (heavy b) (heavy c)
    (glass a)
    (on-table a) (on g a)
    (on-table b) (on d b)
    (on-table e)
    (on-table f) (on c f))
  (:goal
    (and
      (above d c)
      (above f b)
      (above g c)
      (not (above d b))
      (clear e)
      (clear f))))
