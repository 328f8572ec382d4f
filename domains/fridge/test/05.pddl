; Fridges: 1; screws on each compressor: 6; spare compressors: 0.
(define (problem fridge-test-05)
  (:domain fridge)
  (:objects
    fridge-1 - fridge
    worn-1 new-1 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 screw-7 screw-8 screw-9 screw-10 screw-11
    screw-12 - screw)
  (:init
    (new new-1)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2) (tight screw-3) (tight screw-4)
    (tight screw-5) (tight screw-6) (running fridge-1)
    (fits screw-1 worn-1) (fits screw-2 worn-1) (fits screw-3 worn-1) (fits screw-4 worn-1)
    (fits screw-5 worn-1) (fits screw-6 worn-1)
    (fits screw-7 new-1) (fits screw-8 new-1) (fits screw-9 new-1) (fits screw-10 new-1)
    (fits screw-11 new-1) (fits screw-12 new-1))
  (:goal
    (and
      (attached new-1 fridge-1)
      (running fridge-1))))
