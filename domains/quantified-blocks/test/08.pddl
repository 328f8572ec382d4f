; 8 blocks in 3 colours.
(define (problem quantified-blocks-test-08)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g h - block)
  (:init
    (red c) (red d) (red g)
    (green a) (green f) (green h)
    (blue b) (blue e)
    (on-table a) (on e a)
    (on-table b) (on d b) (on g d) (on c g) (on h c)
    (on-table f))
  (:goal
    (and
      (forall (?upper ?lower - block)
        (imply
          (and
            (green ?lower)
            (on ?upper ?lower))
          (red ?upper)))
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
