; 4 blocks, 1 heavy and 1 of glass.
(define (problem blocks-derived-test-03)
  (:domain blocks-derived)
  (:objects
    a b c d - block)
  (:init
    (heavy a)
    (glass c)
    (on-table a)
    (on-table c) (on d c) (on b d))
  (:goal
    (and
      (above b a)
      (above b d))))
