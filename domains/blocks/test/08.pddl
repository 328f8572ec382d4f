; 13 blocks: 4 towers become 4.
(define (problem blocks-test-08)
  (:domain blocks)
  (:objects
    a b c d e f g h i j k l m - block)
  (:init
    (hand-empty)
    (on-table b) (on i b) (on f i) (on k f) (on j k) (clear j)
    (on-table d) (on c d) (clear c)
    (on-table g) (on e g) (on h e) (on m h) (clear m)
    (on-table l) (on a l) (clear a))
  (:goal
    (and
      (on-table a)
      (on g a)
      (on i g)
      (on l i)
      (on k l)
      (on-table j)
      (on h j)
      (on e h)
      (on f e)
      (on c f)
      (on-table m)
      (on b m))))
