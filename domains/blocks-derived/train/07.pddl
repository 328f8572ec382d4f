; 6 blocks, 2 heavy and 1 of glass.
(define (problem blocks-derived-train-07)
  (:domain blocks-derived)
  (:objects
    a b c d e f - block)
  (:init
    (heavy a) (heavy d)
    (glass f)
    (on-table d) (on a d)
    (on-table e) (on c e)
    (on-table f) (on b f))
  (:goal
    (and
      (above d a)
      (above e a)
      (above e d)
      (not (above b f)))))
