; 5 places; wanted: chest.
(define (problem crafting-train-05)
  (:domain crafting)
  (:objects
    camp wood quarry lake meadow - place
    log-1 plank-1 log-2 plank-2 log-3 plank-3 chest-1 log-4 plank-4 log-5 plank-5 workbench-1
    log-6 - item)
  (:init
    (agent-at wood)
    (path camp wood) (path wood camp)
    (path wood quarry) (path quarry wood)
    (path quarry lake) (path lake quarry)
    (path lake meadow) (path meadow lake)
    (found-at log-2 camp) (found-at log-6 camp)
    (found-at log-5 wood)
    (found-at log-3 lake) (found-at log-4 lake)
    (found-at log-1 meadow)
    (station workbench-1)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable plank-2) (unmade plank-2) (part-of log-2 plank-2)
    (craftable plank-3) (unmade plank-3) (part-of log-3 plank-3)
    (craftable chest-1) (unmade chest-1) (part-of plank-1 chest-1) (part-of plank-2 chest-1)
    (part-of plank-3 chest-1) (needs-station chest-1 workbench-1)
    (craftable plank-4) (unmade plank-4) (part-of log-4 plank-4)
    (craftable plank-5) (unmade plank-5) (part-of log-5 plank-5)
    (craftable workbench-1) (unmade workbench-1) (part-of plank-4 workbench-1)
    (part-of plank-5 workbench-1))
  (:goal
    (carried chest-1)))
