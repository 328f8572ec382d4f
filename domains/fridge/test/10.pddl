; Fridges: 5; screws on each compressor: 3; spare compressors: 1.
(define (problem fridge-test-10)
  (:domain fridge)
  (:objects
    fridge-1 fridge-2 fridge-3 fridge-4 fridge-5 - fridge
    worn-1 worn-2 worn-3 worn-4 worn-5 new-1 new-2 new-3 new-4 new-5 new-6 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 screw-7 screw-8 screw-9 screw-10 screw-11
    screw-12 screw-13 screw-14 screw-15 screw-16 screw-17 screw-18 screw-19 screw-20 screw-21
    screw-22 screw-23 screw-24 screw-25 screw-26 screw-27 screw-28 screw-29 screw-30 screw-31
    screw-32 screw-33 - screw)
  (:init
    (new new-1) (new new-2) (new new-3) (new new-4) (new new-5) (new new-6)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2) (tight screw-3)
    (running fridge-1)
    (attached worn-2 fridge-2) (tight screw-4) (tight screw-5) (tight screw-6)
    (running fridge-2)
    (attached worn-3 fridge-3) (tight screw-7) (tight screw-8) (tight screw-9)
    (attached worn-4 fridge-4) (tight screw-10) (tight screw-11) (tight screw-12)
    (running fridge-4)
    (attached worn-5 fridge-5) (tight screw-13) (tight screw-14) (tight screw-15)
    (running fridge-5)
    (fits screw-1 worn-1) (fits screw-2 worn-1) (fits screw-3 worn-1)
    (fits screw-4 worn-2) (fits screw-5 worn-2) (fits screw-6 worn-2)
    (fits screw-7 worn-3) (fits screw-8 worn-3) (fits screw-9 worn-3)
    (fits screw-10 worn-4) (fits screw-11 worn-4) (fits screw-12 worn-4)
    (fits screw-13 worn-5) (fits screw-14 worn-5) (fits screw-15 worn-5)
    (fits screw-16 new-1) (fits screw-17 new-1) (fits screw-18 new-1)
    (fits screw-19 new-2) (fits screw-20 new-2) (fits screw-21 new-2)
    (fits screw-22 new-3) (fits screw-23 new-3) (fits screw-24 new-3)
    (fits screw-25 new-4) (fits screw-26 new-4) (fits screw-27 new-4)
    (fits screw-28 new-5) (fits screw-29 new-5) (fits screw-30 new-5)
    (fits screw-31 new-6) (fits screw-32 new-6) (fits screw-33 new-6))
  (:goal
    (forall (?fridge - fridge)
      (and
        (running ?fridge)
        (exists (?compressor - compressor)
          (and
            (attached ?compressor ?fridge)
            (new ?compressor)))))))
