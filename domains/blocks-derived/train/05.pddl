; 5 blocks, 1 heavy and 1 of glass.
(define (problem blocks-derived-train-05)
  (:domain blocks-derived)
  (:objects
    a b c d e - block)
  (:init
    (heavy b)
    (glass d)
    (on-table a) (on d a) (on c d)
    (on-table b)
    (on-table e))
  (:goal
    (and
      (above a d)
      (above e b)
      (not (above c a)))))
