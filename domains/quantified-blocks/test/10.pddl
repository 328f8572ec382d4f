; 11 blocks in 3 colours.
(define (problem quantified-blocks-test-10)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g h i j k - block)
  (:init
    (red c) (red e) (red f) (red k)
    (green a) (green b) (green g) (green i)
    (blue d) (blue h) (blue j)
    (on-table e)
    (on-table i) (on f i) (on a f)
    (on-table k) (on g k) (on j g) (on c j) (on d c) (on h d) (on b h))
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
            (blue ?lower)
            (on ?upper ?lower))
          (red ?upper)))
      (not (exists (?block - block) (holding ?block))))))
