; 7 places; wanted: furnace, wooden-pick.
(define (problem crafting-train-07)
  (:domain crafting)
  (:objects
    camp wood quarry lake meadow cave hill - place
    stone-1 log-1 plank-1 log-2 stick-1 wooden-pick-1 log-3 plank-2 log-4 plank-3 workbench-1
    stone-2 clay-1 furnace-1 log-5 - item)
  (:init
    (agent-at hill)
    (path camp wood) (path wood camp)
    (path wood quarry) (path quarry wood)
    (path camp lake) (path lake camp)
    (path wood meadow) (path meadow wood)
    (path wood cave) (path cave wood)
    (path lake hill) (path hill lake)
    (found-at log-1 camp)
    (found-at stone-1 quarry) (found-at log-2 quarry) (found-at log-4 quarry)
    (found-at log-3 meadow) (found-at stone-2 meadow) (found-at log-5 meadow)
    (found-at clay-1 cave)
    (station workbench-1) (station furnace-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable stick-1) (unmade stick-1) (part-of log-2 stick-1)
    (craftable wooden-pick-1) (unmade wooden-pick-1) (part-of plank-1 wooden-pick-1)
    (part-of stick-1 wooden-pick-1) (needs-station wooden-pick-1 workbench-1)
    (craftable plank-2) (unmade plank-2) (part-of log-3 plank-2)
    (craftable plank-3) (unmade plank-3) (part-of log-4 plank-3)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-2 workbench-1)
    (part-of plank-3 workbench-1)
    (craftable furnace-1) (unmade furnace-1) (part-of stone-1 furnace-1)
    (part-of stone-2 furnace-1) (part-of clay-1 furnace-1)
    (needs-tool stone-1 wooden-pick-1) (needs-tool stone-2 wooden-pick-1))
  (:goal
    (and
      (exists (?place - place)
        (placed furnace-1 ?place))
      (carried wooden-pick-1))))
