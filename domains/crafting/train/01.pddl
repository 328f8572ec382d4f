; 2 places; wanted: plank.
(define (problem crafting-train-01)
  (:domain crafting)
  (:objects
    camp wood - place
    log-1 plank-1 - item)
  (:init
    (agent-at wood)
    (path camp wood) (path wood camp)
    (found-at log-1 wood)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1))
  (:goal
    (carried plank-1)))
