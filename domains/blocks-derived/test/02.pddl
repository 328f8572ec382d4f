; 3 blocks, 1 heavy and 0 of glass.
(define (problem blocks-derived-test-02)
  (:domain blocks-derived)
  (:objects
    a b c - block)
  (:init
    (heavy a)
    (on-table a)
    (on-table b)
    (on-table c))
  (:goal
    (and
      (above c b)
      (clear c))))
