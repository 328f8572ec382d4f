; 4 places; wanted: wooden-pick.
(define (problem crafting-train-04)
  (:domain crafting)
  (:objects
    camp wood quarry lake - place
    log-1 plank-1 log-2 stick-1 wooden-pick-1 log-3 plank-2 log-4 plank-3 workbench-1 log-5
    - item)
  (:init
    (agent-at quarry)
    (path camp wood) (path wood camp)
    (path wood quarry) (path quarry wood)
    (path wood lake) (path lake wood)
    (found-at log-4 camp)
    (found-at log-5 wood)
    (found-at log-1 quarry) (found-at log-2 quarry) (found-at log-3 quarry)
    (station workbench-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable stick-1) (unmade stick-1) (part-of log-2 stick-1)
    (craftable wooden-pick-1) (unmade wooden-pick-1) (part-of plank-1 wooden-pick-1)
    (part-of stick-1 wooden-pick-1) (needs-station wooden-pick-1 workbench-1)
    (craftable plank-2) (unmade plank-2) (part-of log-3 plank-2)
    (craftable plank-3) (unmade plank-3) (part-of log-4 plank-3)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-2 workbench-1)
    (part-of plank-3 workbench-1))
  (:goal
    (carried wooden-pick-1)))
