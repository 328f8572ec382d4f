; 2 places; wanted: stick.
(define (problem crafting-test-01)
  (:domain crafting)
  (:objects
    camp wood - place
    log-1 stick-1 - item)
  (:init
    (agent-at camp)
    (path camp wood) (path wood camp)
    (found-at log-1 camp)
    (craftable stick-1) (unmade stick-1) (part-of log-1 stick-1))
  (:goal
    (carried stick-1)))
