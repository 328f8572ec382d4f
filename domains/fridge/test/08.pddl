; Fridges: 3; screws on each compressor: 2; spare compressors: 1.
(define (problem fridge-test-08)
  (:domain fridge)
  (:objects
    fridge-1 fridge-2 fridge-3 - fridge
    worn-1 worn-2 worn-3 new-1 new-2 new-3 new-4 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 screw-7 screw-8 screw-9 screw-10 screw-11
    screw-12 screw-13 screw-14 - screw)
  (:init
    (new new-1) (new new-2) (new new-3) (new new-4)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2)
    (attached worn-2 fridge-2) (tight screw-3) (tight screw-4) (running fridge-2)
    (attached worn-3 fridge-3) (tight screw-5) (tight screw-6) (running fridge-3)
    (fits screw-1 worn-1) (fits screw-2 worn-1)
    (fits screw-3 worn-2) (fits screw-4 worn-2)
    (fits screw-5 worn-3) (fits screw-6 worn-3)
    (fits screw-7 new-1) (fits screw-8 new-1)
    (fits screw-9 new-2) (fits screw-10 new-2)
    (fits screw-11 new-3) (fits screw-12 new-3)
    (fits screw-13 new-4) (fits screw-14 new-4)
    (tight screw-13))
  (:goal
    (forall (?fridge - fridge)
      (and
        (running ?fridge)
        (exists (?compressor - compressor)
          (and
            (attached ?compressor ?fridge)
            (new ?compressor)))))))
