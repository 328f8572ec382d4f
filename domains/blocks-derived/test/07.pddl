; 8 blocks, 2 heavy and 2 of glass.
(define (problem blocks-derived-test-07)
  (:domain blocks-derived)
  (:objects
    a b c d e f g h - block)
  (:init
    (heavy a) (heavy g)
    (glass f) (glass h)
    (on-table a) (on c a)
    (on-table b)
    (on-table d) (on h d)
    (on-table e) (on f e)
    (on-table g))
  (:goal
    (and
      (above a g)
      (above e a)
      (above e g)
      (above h d)
      (not (above f e)))))
