; Philosophers: 5; forks: 5.
(define (problem philosophers-train-06)
  (:domain philosophers)
  (:objects
    p1 p2 p3 p4 p5 - philosopher
    fork-1 fork-2 fork-3 fork-4 fork-5 - fork)
  (:init
    (first p1 fork-1) (second p1 fork-2) (thinking p1)
    (first p2 fork-2) (second p2 fork-3) (thinking p2)
    (first p3 fork-3) (second p3 fork-4) (thinking p3)
    (first p4 fork-4) (second p4 fork-5) (thinking p4)
    (first p5 fork-5) (second p5 fork-1) (thinking p5)
    (free fork-1) (free fork-2) (free fork-3) (free fork-4) (free fork-5))
  (:goal
    (forall (?philosopher - philosopher)
      (waits-for ?philosopher ?philosopher))))
