; 3 blocks in 2 colours.
(define (problem quantified-blocks-test-02)
  (:domain quantified-blocks)
  (:objects
    a b c - block)
  (:init
    (red b) (red c)
    (green a)
    (on-table a) (on c a)
    (on-table b))
  (:goal
    (and
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
