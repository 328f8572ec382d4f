; 16 blocks: 6 towers become 11.
(define (problem blocks-test-09)
  (:domain blocks)
  (:objects
    a b c d e f g h i j k l m n o p - block)
  (:init
    (hand-empty)
    (on-table d) (on c d) (on b c) (on m b) (on j m) (clear j)
    (on-table f) (on k f) (on h k) (on a h) (clear a)
    (on-table g) (clear g)
    (on-table l) (on n l) (on i n) (clear i)
    (on-table o) (on e o) (clear e)
    (on-table p) (clear p))
  (:goal
    (and
      (on-table a)
      (on-table b)
      (on p d)
      (on n e)
      (on-table f)
      (on o g)
      (on c o)
      (on j c)
      (on-table h)
      (on-table i)
      (on-table k)
      (on-table l)
      (on-table m))))
