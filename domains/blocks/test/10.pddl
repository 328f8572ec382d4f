; 20 blocks: 8 towers become 11.
(define (problem blocks-test-10)
  (:domain blocks)
  (:objects
    a b c d e f g h i j k l m n o p q r s t - block)
  (:init
    (hand-empty)
    (on-table e) (clear e)
    (on-table g) (on p g) (clear p)
    (on-table h) (on r h) (clear r)
    (on-table i) (clear i)
    (on-table j) (on d j) (on c d) (on n c) (on f n) (on q f) (clear q)
    (on-table k) (clear k)
    (on-table l) (on t l) (clear t)
    (on-table s) (on b s) (on m b) (on o m) (on a o) (clear a))
  (:goal
    (and
      (on-table a)
      (on c a)
      (on b c)
      (on t b)
      (on-table i)
      (on q i)
      (on e q)
      (on o e)
      (on-table r)
      (on n r)
      (on m n)
      (on s m))))
