; 7 blocks in 3 colours.
(define (problem quantified-blocks-train-08)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g - block)
  (:init
    (red a) (red d) (red e)
    (green c) (green f)
    (blue b) (blue g)
    (on-table a)
    (on-table c) (on g c)
    (on-table d) (on f d) (on b f)
    (on-table e))
  (:goal
    (and
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (exists (?top ?middle ?bottom - block)
        (and
          (blue ?top)
          (on ?top ?middle)
          (on ?middle ?bottom)
          (green ?bottom)))
      (not (exists (?block - block) (holding ?block))))))
