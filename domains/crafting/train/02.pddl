; 2 places; wanted: plank, stick.
(define (problem crafting-train-02)
  (:domain crafting)
  (:objects
    camp wood - place
    log-1 plank-1 log-2 stick-1 - item)
  (:init
    (agent-at wood)
    (path camp wood) (path wood camp)
    (found-at log-2 camp)
    (found-at log-1 wood)
    (craftable plank-1) (unmade plank-1) (part-of log-1 plank-1)
    (craftable stick-1) (unmade stick-1) (part-of log-2 stick-1))
  (:goal
    (and
      (carried plank-1)
      (carried stick-1))))
