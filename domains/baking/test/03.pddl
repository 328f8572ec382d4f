; Cakes: 0; soufflés: 2; pans: 1; ovens: 1; bars of soap: 1.
(define (problem baking-test-03)
  (:domain baking)
  (:objects
    egg-1 egg-2 egg-3 - egg
    flour-1 - flour
    butter-1 butter-2 - butter
    pan-1 - pan
    oven-1 - oven
    soap-1 - soap
    souffle-1 souffle-2 - souffle)
  (:init
    (on-counter pan-1))
  (:goal
    (and
      (baked souffle-1)
      (baked souffle-2))))
