; Cakes: 0; soufflés: 1; pans: 1; ovens: 1; bars of soap: 1.
(define (problem baking-test-01)
  (:domain baking)
  (:objects
    egg-1 - egg
    butter-1 - butter
    pan-1 - pan
    oven-1 - oven
    soap-1 - soap
    souffle-1 - souffle)
  (:init
    (on-counter pan-1)
    (custard pan-1))
  (:goal
    (baked souffle-1)))
