; 4 blocks in 3 colours.
(define (problem quantified-blocks-test-04)
  (:domain quantified-blocks)
  (:objects
    a b c d - block)
  (:init
    (red b) (red d)
    (green c)
    (blue a)
    (on-table b) (on a b)
    (on-table c)
    (on-table d))
  (:goal
    (and
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
