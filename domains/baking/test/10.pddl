; Cakes: 8; soufflés: 8; pans: 4; ovens: 3; bars of soap: 14.
(define (problem baking-test-10)
  (:domain baking)
  (:objects
    egg-1 egg-2 egg-3 egg-4 egg-5 egg-6 egg-7 egg-8 egg-9 egg-10 egg-11 egg-12 egg-13 egg-14
    egg-15 egg-16 egg-17 egg-18 egg-19 - egg
    flour-1 flour-2 flour-3 flour-4 flour-5 flour-6 flour-7 flour-8 flour-9 flour-10 - flour
    butter-1 butter-2 butter-3 butter-4 butter-5 butter-6 butter-7 butter-8 butter-9 - butter
    pan-1 pan-2 pan-3 pan-4 - pan
    oven-1 oven-2 oven-3 - oven
    soap-1 soap-2 soap-3 soap-4 soap-5 soap-6 soap-7 soap-8 soap-9 soap-10 soap-11 soap-12
    soap-13 soap-14 - soap
    cake-1 cake-2 cake-3 cake-4 cake-5 cake-6 cake-7 cake-8 - cake
    souffle-1 souffle-2 souffle-3 souffle-4 souffle-5 souffle-6 souffle-7 souffle-8 - souffle)
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
      (baked cake-7)
      (baked cake-8)
      (baked souffle-1)
      (baked souffle-2)
      (baked souffle-3)
      (baked souffle-4)
      (baked souffle-5)
      (baked souffle-6)
      (baked souffle-7)
      (baked souffle-8))))
