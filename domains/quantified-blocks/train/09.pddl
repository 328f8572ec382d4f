; 8 blocks in 3 colours.
(define (problem quantified-blocks-train-09)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g h - block)
  (:init
    (red d) (red e) (red f)
    (green a) (green b) (green c)
    (blue g) (blue h)
    (on-table c) (on a c) (on g a)
    (on-table d)
    (on-table f) (on b f)
    (on-table h) (on e h))
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
          (green ?top)
          (on ?top ?middle)
          (on ?middle ?bottom)
          (blue ?bottom)))
      (not (exists (?block - block) (holding ?block))))))
