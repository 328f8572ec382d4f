; 2 blocks in 2 colours.
(define (problem quantified-blocks-test-01)
  (:domain quantified-blocks)
  (:objects
    a b - block)
  (:init
    (red b)
    (green a)
    (on-table b) (on a b))
  (:goal
    (and
      (forall (?block - block)
        (imply
          (red ?block)
          (exists (?support - block)
            (and
              (green ?support)
              (on ?block ?support)))))
      (not (exists (?block - block) (holding ?block))))))
