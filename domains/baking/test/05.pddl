; Cakes: 2; soufflés: 2; pans: 3; ovens: 2; bars of soap: 3.
(define (problem baking-test-05)
  (:domain baking)
  (:objects
    egg-1 egg-2 egg-3 egg-4 - egg
    flour-1 flour-2 - flour
    butter-1 butter-2 - butter
    pan-1 pan-2 pan-3 - pan
    oven-1 oven-2 - oven
    soap-1 soap-2 soap-3 - soap
    cake-1 cake-2 - cake
    souffle-1 souffle-2 - souffle)
  (:init
    (on-counter pan-1) (on-counter pan-2) (on-counter pan-3)
    (dirty pan-3))
  (:goal
    (and
      (baked cake-1)
      (baked cake-2)
      (baked souffle-1)
      (baked souffle-2))))
