; 6 discs, 3 pegs: from one mixed position to another. Disc 1 is the smallest.
(define (problem hanoi-train-08)
  (:domain hanoi)
  (:objects
    disc-1 disc-2 disc-3 disc-4 disc-5 disc-6 - disc
    peg-1 peg-2 peg-3 - peg)
  (:init
    (fits disc-1 peg-1) (fits disc-1 peg-2) (fits disc-1 peg-3) (fits disc-1 disc-2)
    (fits disc-1 disc-3) (fits disc-1 disc-4) (fits disc-1 disc-5) (fits disc-1 disc-6)
    (fits disc-2 peg-1) (fits disc-2 peg-2) (fits disc-2 peg-3) (fits disc-2 disc-3)
    (fits disc-2 disc-4) (fits disc-2 disc-5) (fits disc-2 disc-6)
    (fits disc-3 peg-1) (fits disc-3 peg-2) (fits disc-3 peg-3) (fits disc-3 disc-4)
    (fits disc-3 disc-5) (fits disc-3 disc-6)
    (fits disc-4 peg-1) (fits disc-4 peg-2) (fits disc-4 peg-3) (fits disc-4 disc-5)
    (fits disc-4 disc-6)
    (fits disc-5 peg-1) (fits disc-5 peg-2) (fits disc-5 peg-3) (fits disc-5 disc-6)
    (fits disc-6 peg-1) (fits disc-6 peg-2) (fits disc-6 peg-3)
    (on disc-1 disc-4) (on disc-4 disc-5) (on disc-5 disc-6) (on disc-6 peg-1) (clear disc-1)
    (on disc-3 peg-2) (clear disc-3)
    (on disc-2 peg-3) (clear disc-2))
  (:goal
    (and
      (on disc-1 peg-1)
      (on disc-6 peg-2)
      (on disc-5 disc-6)
      (on disc-4 disc-5)
      (on disc-3 disc-4)
      (on disc-2 peg-3))))
