; 6 blocks, 2 heavy and 1 of glass.
(define (problem blocks-derived-test-05)
  (:domain blocks-derived)
  (:objects
    a b c d e f - block)
  (:init
    (heavy c) (heavy e)
    (glass b)
    (on-table a) (on b a)
    (on-table c) (on e c)
    (on-table d) (on f d))
  (:goal
    (and
      (above b a)
      (above b d)
      (above e f)
      (not (above f d)))))
