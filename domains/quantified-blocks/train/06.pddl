; 5 blocks in 3 colours.
(define (problem quantified-blocks-train-06)
  (:domain quantified-blocks)
  (:objects
    a b c d e - block)
  (:init
    (red c) (red e)
    (green a) (green b)
    (blue d)
    (on-table a) (on d a) (on c d) (on e c)
    (on-table b))
  (:goal
    (and
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (forall (?upper ?lower - block)
        (imply
          (and
            (red ?lower)
            (on ?upper ?lower))
          (blue ?upper)))
      (not (exists (?block - block) (holding ?block))))))
