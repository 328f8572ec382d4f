; Philosophers: 4; forks: 4.
(define (problem philosophers-train-05)
  (:domain philosophers)
  (:objects
    p1 p2 p3 p4 - philosopher
    fork-1 fork-2 fork-3 fork-4 - fork)
  (:init
    (first p1 fork-1) (second p1 fork-2) (hungry p1)
    (first p2 fork-2) (second p2 fork-3) (hungry p2)
    (first p3 fork-3) (second p3 fork-4) (hungry p3)
    (first p4 fork-4) (second p4 fork-1) (thinking p4)
    (free fork-1) (free fork-2) (free fork-3) (free fork-4))
  (:goal
    (forall (?philosopher - philosopher)
      (fed ?philosopher))))
