; 9 blocks in 3 colours.
(define (problem quantified-blocks-test-09)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g h i - block)
  (:init
    (red c) (red d) (red f)
    (green e) (green h) (green i)
    (blue a) (blue b) (blue g)
    (on-table a)
    (on-table b)
    (on-table c) (on e c)
    (on-table d) (on h d)
    (on-table f)
    (on-table i) (on g i))
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
