; Philosophers: 13; forks: 13.
(define (problem philosophers-train-10)
  (:domain philosophers)
  (:objects
    p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 - philosopher
    fork-1 fork-2 fork-3 fork-4 fork-5 fork-6 fork-7 fork-8 fork-9 fork-10 fork-11 fork-12
    fork-13 - fork)
  (:init
    (first p1 fork-11) (second p1 fork-6) (thinking p1)
    (first p2 fork-5) (second p2 fork-8) (thinking p2)
    (first p3 fork-11) (second p3 fork-13) (thinking p3)
    (first p4 fork-13) (second p4 fork-6) (hungry p4)
    (first p5 fork-9) (second p5 fork-5) (thinking p5)
    (first p6 fork-8) (second p6 fork-13) (thinking p6)
    (first p7 fork-11) (second p7 fork-10) (thinking p7)
    (first p8 fork-9) (second p8 fork-11) (thinking p8)
    (first p9 fork-5) (second p9 fork-8) (thinking p9)
    (first p10 fork-12) (second p10 fork-9) (thinking p10)
    (first p11 fork-5) (second p11 fork-9) (thinking p11)
    (first p12 fork-4) (second p12 fork-3) (thinking p12)
    (first p13 fork-9) (second p13 fork-12) (hungry p13)
    (free fork-1) (free fork-2) (free fork-3) (free fork-4) (free fork-5) (free fork-6)
    (free fork-7) (free fork-8) (free fork-9) (free fork-10) (free fork-11) (free fork-12)
    (free fork-13))
  (:goal
    (and
      (deadlock)
      (fed p2)
      (fed p3)
      (fed p4))))
