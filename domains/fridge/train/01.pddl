; Fridges: 1; screws on each compressor: 1; spare compressors: 0.
(define (problem fridge-train-01)
  (:domain fridge)
  (:objects
    fridge-1 - fridge
    worn-1 new-1 - compressor
    screw-1 screw-2 - screw)
  (:init
    (new new-1)
    (attached new-1 fridge-1)
    (fits screw-1 worn-1)
    (fits screw-2 new-1))
  (:goal
    (and
      (attached new-1 fridge-1)
      (running fridge-1))))
