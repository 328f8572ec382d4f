; Cakes: 1; soufflés: 0; pans: 1; ovens: 1; bars of soap: 1.
(define (problem baking-train-02)
  (:domain baking)
  (:objects
    egg-1 egg-2 - egg
    flour-1 flour-2 - flour
    pan-1 - pan
    oven-1 - oven
    soap-1 - soap
    cake-1 - cake)
  (:init
    (on-counter pan-1))
  (:goal
    (baked cake-1)))
