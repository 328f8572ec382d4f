; Philosophers: 6; forks: 6.
(define (problem philosophers-test-06)
  (:domain philosophers)
  (:objects
    p1 p2 p3 p4 p5 p6 - philosopher
    fork-1 fork-2 fork-3 fork-4 fork-5 fork-6 - fork)
  (:init
    (first p1 fork-1) (second p1 fork-2) (thinking p1)
    (first p2 fork-2) (second p2 fork-3) (thinking p2)
    (first p3 fork-3) (second p3 fork-4) (thinking p3)
    (first p4 fork-4) (second p4 fork-5) (thinking p4)
    (first p5 fork-5) (second p5 fork-6) (thinking p5)
    (first p6 fork-6) (second p6 fork-1) (thinking p6)
    (free fork-1) (free fork-2) (free fork-3) (free fork-4) (free fork-5) (free fork-6))
  (:goal
    (forall (?philosopher - philosopher)
      (waits-for ?philosopher ?philosopher))))
