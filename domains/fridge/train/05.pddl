; Fridges: 1; screws on each compressor: 4; spare compressors: 0.
(define (problem fridge-train-05)
  (:domain fridge)
  (:objects
    fridge-1 - fridge
    worn-1 new-1 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 screw-7 screw-8 - screw)
  (:init
    (new new-1)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2) (tight screw-3) (tight screw-4)
    (running fridge-1)
    (fits screw-1 worn-1) (fits screw-2 worn-1) (fits screw-3 worn-1) (fits screw-4 worn-1)
    (fits screw-5 new-1) (fits screw-6 new-1) (fits screw-7 new-1) (fits screw-8 new-1)
    (tight screw-5))
  (:goal
    (and
      (attached new-1 fridge-1)
      (running fridge-1))))
