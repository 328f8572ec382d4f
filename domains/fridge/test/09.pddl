; Fridges: 4; screws on each compressor: 4; spare compressors: 0.
(define (problem fridge-test-09)
  (:domain fridge)
  (:objects
    fridge-1 fridge-2 fridge-3 fridge-4 - fridge
    worn-1 worn-2 worn-3 worn-4 new-1 new-2 new-3 new-4 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 screw-7 screw-8 screw-9 screw-10 screw-11
    screw-12 screw-13 screw-14 screw-15 screw-16 screw-17 screw-18 screw-19 screw-20 screw-21
    screw-22 screw-23 screw-24 screw-25 screw-26 screw-27 screw-28 screw-29 screw-30 screw-31
    screw-32 - screw)
  (:init
    (new new-1) (new new-2) (new new-3) (new new-4)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2) (tight screw-3) (tight screw-4)
    (running fridge-1)
    (attached worn-2 fridge-2) (tight screw-5) (tight screw-6) (tight screw-7) (tight screw-8)
    (running fridge-2)
    (attached worn-3 fridge-3) (tight screw-9) (tight screw-10) (tight screw-11)
    (tight screw-12) (running fridge-3)
    (attached worn-4 fridge-4) (tight screw-13) (tight screw-14) (tight screw-15)
    (tight screw-16)
    (fits screw-1 worn-1) (fits screw-2 worn-1) (fits screw-3 worn-1) (fits screw-4 worn-1)
    (fits screw-5 worn-2) (fits screw-6 worn-2) (fits screw-7 worn-2) (fits screw-8 worn-2)
    (fits screw-9 worn-3) (fits screw-10 worn-3) (fits screw-11 worn-3) (fits screw-12 worn-3)
    (fits screw-13 worn-4) (fits screw-14 worn-4) (fits screw-15 worn-4) (fits screw-16 worn-4)
    (fits screw-17 new-1) (fits screw-18 new-1) (fits screw-19 new-1) (fits screw-20 new-1)
    (fits screw-21 new-2) (fits screw-22 new-2) (fits screw-23 new-2) (fits screw-24 new-2)
    (fits screw-25 new-3) (fits screw-26 new-3) (fits screw-27 new-3) (fits screw-28 new-3)
    (fits screw-29 new-4) (fits screw-30 new-4) (fits screw-31 new-4) (fits screw-32 new-4)
    (tight screw-17) (tight screw-25) (tight screw-29))
  (:goal
    (and
      (attached new-1 fridge-1)
      (running fridge-1)
      (attached new-2 fridge-2)
      (running fridge-2)
      (attached new-3 fridge-3)
      (running fridge-3)
      (attached new-4 fridge-4)
      (running fridge-4))))
