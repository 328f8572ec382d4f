; 12 blocks: 2 towers become 4.
(define (problem exploding-blocks-test-10)
  (:domain exploding-blocks)
  (:objects
    a b c d e f g h i j k l - block)
  (:init
    (hand-empty)
    (on-table e) (on d e) (on j d) (on l j) (on i l) (on k i) (clear k)
    (on-table f) (on c f) (on g c) (on h g) (on b h) (on a b) (clear a)
    (charged a) (charged b) (charged c) (charged d) (charged e) (charged f) (charged g)
    (charged h) (charged i) (charged j) (charged k) (charged l))
  (:goal
    (and
      (on h a)
      (on g h)
      (on c g)
      (on k c)
      (on f d)
      (on j i)
      (on l j)
      (on e l))))
