; 10 blocks: 7 towers become 5.
(define (problem blocks-test-07)
  (:domain blocks)
  (:objects
    a b c d e f g h i j - block)
  (:init
    (hand-empty)
    (on-table a) (clear a)
    (on-table c) (on d c) (clear d)
    (on-table e) (clear e)
    (on-table g) (on b g) (clear b)
    (on-table h) (clear h)
    (on-table i) (clear i)
    (on-table j) (on f j) (clear f))
  (:goal
    (and
      (on h a)
      (on f h)
      (on g f)
      (on c b)
      (on i e))))
