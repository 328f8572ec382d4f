; Philosophers: 9; forks: 9.
(define (problem philosophers-test-09)
  (:domain philosophers)
  (:objects
    p1 p2 p3 p4 p5 p6 p7 p8 p9 - philosopher
    fork-1 fork-2 fork-3 fork-4 fork-5 fork-6 fork-7 fork-8 fork-9 - fork)
  (:init
    (first p1 fork-1) (second p1 fork-2) (thinking p1)
    (first p2 fork-2) (second p2 fork-3) (thinking p2)
    (first p3 fork-3) (second p3 fork-4) (hungry p3)
    (first p4 fork-4) (second p4 fork-5) (thinking p4)
    (first p5 fork-5) (second p5 fork-6) (thinking p5)
    (first p6 fork-6) (second p6 fork-7) (hungry p6)
    (first p7 fork-7) (second p7 fork-8) (hungry p7)
    (first p8 fork-8) (second p8 fork-9) (hungry p8)
    (first p9 fork-9) (second p9 fork-1) (thinking p9)
    (free fork-1) (free fork-2) (free fork-3) (free fork-4) (free fork-5) (free fork-6)
    (free fork-7) (free fork-8) (free fork-9))
  (:goal
    (forall (?philosopher - philosopher)
      (waits-for ?philosopher ?philosopher))))
