; Fridges: 2; screws on each compressor: 1; spare compressors: 0.
(define (problem fridge-test-04)
  (:domain fridge)
  (:objects
    fridge-1 fridge-2 - fridge
    worn-1 worn-2 new-1 new-2 - compressor
    screw-1 screw-2 screw-3 screw-4 - screw)
  (:init
    (new new-1) (new new-2)
    (attached worn-1 fridge-1) (tight screw-1) (running fridge-1)
    (attached worn-2 fridge-2) (tight screw-2) (running fridge-2)
    (fits screw-1 worn-1)
    (fits screw-2 worn-2)
    (fits screw-3 new-1)
    (fits screw-4 new-2)
    (tight screw-3))
  (:goal
    (forall (?fridge - fridge)
      (and
        (running ?fridge)
        (exists (?compressor - compressor)
          (and
            (attached ?compressor ?fridge)
            (new ?compressor)))))))
