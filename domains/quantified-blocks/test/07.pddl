; 7 blocks in 3 colours.
(define (problem quantified-blocks-test-07)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g - block)
  (:init
    (red b) (red c) (red e)
    (green a) (green f)
    (blue d) (blue g)
    (on-table a)
    (on-table b)
    (on-table d) (on f d)
    (on-table e) (on c e) (on g c))
  (:goal
    (and
      (forall (?block - block)
        (imply
          (red ?block)
          (on-table ?block)))
      (forall (?upper ?lower - block)
        (imply
          (and
            (red ?lower)
            (on ?upper ?lower))
          (green ?upper)))
      (not (exists (?block - block) (holding ?block))))))
