; Cakes: 2; soufflés: 0; pans: 1; ovens: 1; bars of soap: 2.
(define (problem baking-train-04)
  (:domain baking)
  (:objects
    egg-1 egg-2 egg-3 - egg
    flour-1 flour-2 flour-3 - flour
    pan-1 - pan
    oven-1 - oven
    soap-1 soap-2 - soap
    cake-1 cake-2 - cake)
  (:init
    (on-counter pan-1))
  (:goal
    (and
      (baked cake-1)
      (baked cake-2))))
