; Rooms: 6; ways: 5.
(define (problem coin-collector-train-05)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour - room
    coin - item)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall west) (leads hall kitchen east)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry south) (leads pantry hall north)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads pantry garden south) (leads garden pantry north)
    (leads hall bedroom north) (leads bedroom hall south)
    (door hall bedroom) (door bedroom hall) (closed hall bedroom) (closed bedroom hall)
    (leads hall parlour west) (leads parlour hall east)
    (in coin bedroom))
  (:goal
    (held coin)))
