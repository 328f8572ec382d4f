; Rooms: 3; ways: 2.
(define (problem coin-collector-train-02)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry - room
    coin - item)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall west) (leads hall kitchen east)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry south) (leads pantry hall north)
    (in coin kitchen))
  (:goal
    (held coin)))
