; Rooms: 2; ways: 1.
(define (problem coin-collector-train-01)
  (:domain coin-collector)
  (:objects
    kitchen hall - room
    coin - item)
  (:init
    (agent-at hall) (visited hall)
    (leads kitchen hall south) (leads hall kitchen north)
    (in coin kitchen))
  (:goal
    (held coin)))
