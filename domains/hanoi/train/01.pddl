; 2 discs, 3 pegs: the whole tower moves. Disc 1 is the smallest.
(define (problem hanoi-train-01)
  (:domain hanoi)
  (:objects
    disc-1 disc-2 - disc
    peg-1 peg-2 peg-3 - peg)
  (:init
    (fits disc-1 peg-1) (fits disc-1 peg-2) (fits disc-1 peg-3) (fits disc-1 disc-2)
    (fits disc-2 peg-1) (fits disc-2 peg-2) (fits disc-2 peg-3)
    (on disc-1 disc-2) (on disc-2 peg-1) (clear disc-1)
    (clear peg-2)
    (clear peg-3))
  (:goal
    (and
      (on disc-2 peg-3)
      (on disc-1 disc-2))))
