; 3 places; wanted: stick, stick.
(define (problem crafting-test-02)
  (:domain crafting)
  (:objects
    camp wood quarry - place
    log-1 stick-1 log-2 stick-2 - item)
  (:init
    (agent-at wood)
    (path camp wood) (path wood camp)
    (path wood quarry) (path quarry wood)
    (found-at log-2 camp)
    (found-at log-1 wood)
    (craftable stick-1) (unmade stick-1) (part-of log-1 stick-1)
    (craftable stick-2) (unmade stick-2) (part-of log-2 stick-2))
  (:goal
    (and
      (carried stick-1)
      (carried stick-2))))
