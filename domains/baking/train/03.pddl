; Cakes: 1; soufflés: 1; pans: 2; ovens: 1; bars of soap: 0.
(define (problem baking-train-03)
  (:domain baking)
  (:objects
    egg-1 egg-2 - egg
    flour-1 - flour
    butter-1 - butter
    pan-1 pan-2 - pan
    oven-1 - oven
    cake-1 - cake
    souffle-1 - souffle)
  (:init
    (on-counter pan-1) (on-counter pan-2))
  (:goal
    (and
      (baked cake-1)
      (baked souffle-1))))
