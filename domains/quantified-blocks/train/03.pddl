; 3 blocks in 2 colours.
(define (problem quantified-blocks-train-03)
  (:domain quantified-blocks)
  (:objects
    a b c - block)
  (:init
    (red a) (red b)
    (green c)
    (on-table b) (on a b)
    (on-table c))
  (:goal
    (and
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
