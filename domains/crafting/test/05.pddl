; 6 places; wanted: stone.
(define (problem crafting-test-05)
  (:domain crafting)
  (:objects
    camp wood quarry lake meadow cave - place
    stone-1 log-1 plank-1 log-2 stick-1 wooden-pick-1 log-3 plank-2 log-4 plank-3 workbench-1
    log-5 - item)
  (:init
    (agent-at wood)
    (path camp wood) (path wood camp)
    (path wood quarry) (path quarry wood)
    (path camp lake) (path lake camp)
    (path wood meadow) (path meadow wood)
    (path quarry cave) (path cave quarry)
    (found-at log-2 wood) (found-at log-3 wood)
    (found-at stone-1 quarry) (found-at log-1 quarry)
    (found-at log-5 lake)
    (found-at log-4 meadow)
    (station workbench-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable stick-1) (unmade stick-1) (part-of log-2 stick-1)
    (craftable wooden-pick-1) (unmade wooden-pick-1) (part-of plank-1 wooden-pick-1)
    (part-of stick-1 wooden-pick-1) (needs-station wooden-pick-1 workbench-1)
    (craftable plank-2) (unmade plank-2) (part-of log-3 plank-2)
    (craftable plank-3) (unmade plank-3) (part-of log-4 plank-3)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-2 workbench-1)
    (part-of plank-3 workbench-1)
    (needs-tool stone-1 wooden-pick-1))
  (:goal
    (carried stone-1)))
