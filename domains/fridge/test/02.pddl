; Fridges: 1; screws on each compressor: 2; spare compressors: 1.
(define (problem fridge-test-02)
  (:domain fridge)
  (:objects
    fridge-1 - fridge
    worn-1 new-1 new-2 - compressor
    screw-1 screw-2 screw-3 screw-4 screw-5 screw-6 - screw)
  (:init
    (new new-1) (new new-2)
    (attached worn-1 fridge-1) (tight screw-1) (tight screw-2) (running fridge-1)
    (fits screw-1 worn-1) (fits screw-2 worn-1)
    (fits screw-3 new-1) (fits screw-4 new-1)
    (fits screw-5 new-2) (fits screw-6 new-2))
  (:goal
    (forall (?fridge - fridge)
      (and
        (running ?fridge)
        (exists (?compressor - compressor)
          (and
            (attached ?compressor ?fridge)
            (new ?compressor)))))))
