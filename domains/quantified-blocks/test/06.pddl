; 6 blocks in 3 colours.
(define (problem quantified-blocks-test-06)
  (:domain quantified-blocks)
  (:objects
    a b c d e f - block)
  (:init
    (red b) (red f)
    (green a) (green c)
    (blue d) (blue e)
    (on-table d) (on a d) (on c a)
    (on-table f) (on b f) (on e b))
  (:goal
    (and
      (forall (?block - block)
        (imply
          (green ?block)
          (exists (?support - block)
            (and
              (red ?support)
              (on ?block ?support)))))
      (forall (?upper ?lower - block)
        (imply
          (and
            (green ?lower)
            (on ?upper ?lower))
          (red ?upper))))))
