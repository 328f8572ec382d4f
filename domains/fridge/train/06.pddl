; Fridges: 2; screws on each compressor: 2; spare compressors: 0.
(define (problem fridge-train-06)
  (:domain fridge)
  (:objects
    fridge-1 fridge-2 - fridge
    worn-1 worn-2 new-1 new-2 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 screw-7 screw-8 - screw)
  (:init
    (new new-1) (new new-2)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2)
    (attached worn-2 fridge-2) (tight screw-3) (tight screw-4) (running fridge-2)
    (fits screw-1 worn-1) (fits screw-2 worn-1)
    (fits screw-3 worn-2) (fits screw-4 worn-2)
    (fits screw-5 new-1) (fits screw-6 new-1)
    (fits screw-7 new-2) (fits screw-8 new-2))
  (:goal
    (forall (?fridge - fridge)
      (and
        (running ?fridge)
        (exists (?compressor - compressor)
          (and
            (attached ?compressor ?fridge)
            (new ?compressor)))))))
