; 5 blocks, 1 heavy and 1 of glass.
(define (problem blocks-derived-test-04)
  (:domain blocks-derived)
  (:objects
    a b c d e - block)
  (:init
    (heavy c)
    (glass b)
    (on-table b)
    (on-table c)
    (on-table d) (on e d) (on a e))
  (:goal
    (and
      (above b e)
      (above d a)
      (not (above e d))
      (clear b))))
