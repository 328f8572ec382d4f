; Cakes: 6; soufflés: 5; pans: 4; ovens: 3; bars of soap: 9.
(define (problem baking-test-09)
  (:domain baking)
  (:objects
    egg-1 egg-2 egg-3 egg-4 egg-5 egg-6 egg-7 egg-8 egg-9 egg-10 egg-11 egg-12 egg-13 - egg
    flour-1 flour-2 flour-3 flour-4 flour-5 flour-6 flour-7 - flour
    butter-1 butter-2 butter-3 butter-4 butter-5 butter-6 - butter
    pan-1 pan-2 pan-3 pan-4 - pan
    oven-1 oven-2 oven-3 - oven
    soap-1 soap-2 soap-3 soap-4 soap-5 soap-6 soap-7 soap-8 soap-9 - soap
    cake-1 cake-2 cake-3 cake-4 cake-5 cake-6 - cake
    souffle-1 souffle-2 souffle-3 souffle-4 souffle-5 - souffle)
  (:init
    (on-counter pan-1) (on-counter pan-2) (on-counter pan-3) (on-counter pan-4)
    (dirty pan-4))
  (:goal
    (and
      (baked cake-1)
      (baked cake-2)
      (baked cake-3)
      (baked cake-4)
      (baked cake-5)
      (baked cake-6)
      (baked souffle-1)
      (baked souffle-2)
      (baked souffle-3)
      (baked souffle-4)
      (baked souffle-5))))
