; 9 blocks in 3 colours.
(define (problem quantified-blocks-train-10)
  (:domain quantified-blocks)
  (:objects
    a b c d e f g h i - block)
  (:init
    (red a) (red f) (red g)
    (green b) (green e) (green i)
    (blue c) (blue d) (blue h)
    (on-table b) (on c b) (on e c)
    (on-table d) (on h d) (on i h)
    (on-table f) (on g f) (on a g))
  (:goal
    (and
      (forall (?block - block)
        (imply
          (red ?block)
          (exists (?support - block)
            (and
              (blue ?support)
              (on ?block ?support)))))
      (forall (?one ?other - block)
        (imply
          (and
            (on-table ?one)
            (on-table ?other))
          (= ?one ?other)))
      (not (exists (?block - block) (holding ?block))))))
