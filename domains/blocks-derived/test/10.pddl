; 12 blocks, 4 heavy and 3 of glass.
(define (problem blocks-derived-test-10)
  (:domain blocks-derived)
  (:objects
    a b c d e f g h i j k l - block)
  (:init
    (heavy a) (heavy b) (heavy e) (heavy h)
    (glass i) (glass j) (glass k)
    (on-table f) (on d f) (on c d)
    (on-table h) (on b h) (on a b)
    (on-table j) (on i j)
    (on-table l) (on e l) (on k e) (on g k))
  (:goal
    (and
      (above a c)
      (above c h)
      (above g l)
      (above h l)
      (above i e)
      (above k j)
      (not (above c d))
      (not (above g k))
      (not (above i j))
      (clear k)
      (clear i))))
