; 4 blocks in 3 colours.
(define (problem quantified-blocks-test-03)
  (:domain quantified-blocks)
  (:objects
    a b c d - block)
  (:init
    (red b) (red c)
    (green d)
    (blue a)
    (on-table b) (on a b)
    (on-table c)
    (on-table d))
  (:goal
    (and
      (forall (?block - block)
        (imply
          (blue ?block)
          (on-table ?block)))
      (not (exists (?block - block) (holding ?block))))))
