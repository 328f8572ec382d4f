; 3 blocks in 2 colours.
(define (problem quantified-blocks-train-02)
  (:domain quantified-blocks)
  (:objects
    a b c - block)
  (:init
    (red a) (red c)
    (green b)
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
