; 5 blocks in 3 colours.
(define (problem quantified-blocks-test-05)
  (:domain quantified-blocks)
  (:objects
    a b c d e - block)
  (:init
    (red c) (red d)
    (green b) (green e)
    (blue a)
    (on-table b) (on e b) (on d e)
    (on-table c) (on a c))
  (:goal
    (and
      (exists (?top ?middle ?bottom - block)
        (and
          (blue ?top)
          (on ?top ?middle)
          (on ?middle ?bottom)
          (red ?bottom)))
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
