; Fridges: 1; screws on each compressor: 1; spare compressors: 0.
(define (problem fridge-train-02)
  (:domain fridge)
  (:objects
    fridge-1 - fridge
    worn-1 new-1 - compressor
    screw-1 screw-2 - screw)
  (:init
    (new new-1)
    (attached worn-1 fridge-1) (tight screw-1) (running fridge-1)
    (fits screw-1 worn-1)
    (fits screw-2 new-1))
  (:goal
    (forall (?fridge - fridge)
      (and
        (running ?fridge)
        (exists (?compressor - compressor)
          (and
            (attached ?compressor ?fridge)
            (new ?compressor)))))))
