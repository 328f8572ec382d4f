; 3 places; wanted: workbench.
(define (problem crafting-train-03)
  (:domain crafting)
  (:objects
    camp wood quarry - place
    log-1 plank-1 log-2 plank-2 workbench-1 - item)
  (:init
    (agent-at quarry)
    (path camp wood) (path wood camp)
    (path camp quarry) (path quarry camp)
    (found-at log-1 wood)
    (found-at log-2 quarry)
    (station workbench-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable plank-2) (unmade plank-2) (part-of log-2 plank-2)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-1 workbench-1)
    (part-of plank-2 workbench-1))
  (:goal
    (carried workbench-1)))
