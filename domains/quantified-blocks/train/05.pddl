; 5 blocks in 3 colours.
(define (problem quantified-blocks-train-05)
  (:domain quantified-blocks)
  (:objects
    a b c d e - block)
  (:init
    (red c) (red d)
    (green a) (green e)
    (blue b)
    (on-table a) (on d a)
    (on-table b) (on c b)
    (on-table e))
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
          (green ?upper)))
      (not (exists (?block - block) (holding ?block))))))
