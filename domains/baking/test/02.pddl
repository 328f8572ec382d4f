; Cakes: 0; soufflés: 1; pans: 2; ovens: 1; bars of soap: 0.
(define (problem baking-test-02)
  (:domain baking)
  (:objects
    egg-1 egg-2 - egg
    flour-1 - flour
    butter-1 - butter
    pan-1 pan-2 - pan
    oven-1 - oven
    souffle-1 - souffle)
  (:init
    (on-counter pan-1) (on-counter pan-2))
  (:goal
    (baked souffle-1)))
