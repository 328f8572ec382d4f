; 4 places; wanted: workbench, plank.
(define (problem crafting-test-03)
  (:domain crafting)
  (:objects
    camp wood quarry lake - place
    log-1 plank-1 log-2 plank-2 workbench-1 log-3 plank-3 - item)
  (:init
    (agent-at wood)
    (path camp wood) (path wood camp)
    (path wood quarry) (path quarry wood)
    (path wood lake) (path lake wood)
    (found-at log-2 camp) (found-at log-3 camp)
    (found-at log-1 quarry)
    (station workbench-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable plank-2) (unmade plank-2) (part-of log-2 plank-2)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-1 workbench-1)
    (part-of plank-2 workbench-1)
    (craftable plank-3) (unmade plank-3) (part-of log-3 plank-3))
  (:goal
    (and
      (carried workbench-1)
      (carried plank-3))))
