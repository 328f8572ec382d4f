; 6 blocks in 3 colours.
(define (problem quantified-blocks-train-07)
  (:domain quantified-blocks)
  (:objects
    a b c d e f - block)
  (:init
    (red a) (red e)
    (green d) (green f)
    (blue b) (blue c)
    (on-table c)
    (on-table d) (on a d)
    (on-table e) (on b e)
    (on-table f))
  (:goal
    (and
      (forall (?upper ?lower - block)
        (imply
          (and
            (red ?lower)
            (on ?upper ?lower))
          (blue ?upper)))
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
