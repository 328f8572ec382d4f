; 5 places; wanted: wooden-pick, stick.
(define (problem crafting-test-04)
  (:domain crafting)
  (:objects
    camp wood quarry lake meadow - place
    log-1 plank-1 log-2 stick-1 wooden-pick-1 log-3 plank-2 log-4 plank-3 workbench-1 log-5
    stick-2 log-6 - item)
  (:init
    (agent-at camp)
    (path camp wood) (path wood camp)
    (path camp quarry) (path quarry camp)
    (path wood lake) (path lake wood)
    (path wood meadow) (path meadow wood)
    (found-at log-1 camp)
    (found-at log-2 wood)
    (found-at log-4 quarry) (found-at log-5 quarry)
    (found-at log-6 lake)
    (found-at log-3 meadow)
    (station workbench-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable stick-1) (unmade stick-1) (part-of log-2 stick-1)
    (craftable wooden-pick-1) (unmade wooden-pick-1) (part-of plank-1 wooden-pick-1)
    (part-of stick-1 wooden-pick-1) (needs-station wooden-pick-1 workbench-1)
    (craftable plank-2) (unmade plank-2) (part-of log-3 plank-2)
    (craftable plank-3) (unmade plank-3) (part-of log-4 plank-3)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-2 workbench-1)
    (part-of plank-3 workbench-1)
    (craftable stick-2) (unmade stick-2) (part-of log-5 stick-2))
  (:goal
    (and
      (carried wooden-pick-1)
      (carried stick-2))))
