; 2 blocks in 2 colours.
(define (problem quantified-blocks-train-01)
  (:domain quantified-blocks)
  (:objects
    a b - block)
  (:init
    (red b)
    (green a)
    (on-table a)
    (on-table b))
  (:goal
    (and
      (forall (?block - block)
        (imply
          (green ?block)
          (exists (?support - block)
            (and
              (red ?support)
              (on ?block ?support)))))
      (not (exists (?block - block) (holding ?block))))))
