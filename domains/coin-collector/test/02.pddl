; Rooms: 5; ways: 4.
(define (problem coin-collector-test-02)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom - room
    coin - item)
  (:init
    (agent-at garden) (visited garden)
    (leads kitchen hall south) (leads hall kitchen north)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads kitchen pantry west) (leads pantry kitchen east)
    (door kitchen pantry) (door pantry kitchen) (closed kitchen pantry) (closed pantry kitchen)
    (leads kitchen garden east) (leads garden kitchen west)
    (door kitchen garden) (door garden kitchen) (closed kitchen garden) (closed garden kitchen)
    (leads hall bedroom south) (leads bedroom hall north)
    (door hall bedroom) (door bedroom hall) (closed hall bedroom) (closed bedroom hall)
    (in coin bedroom))
  (:goal
    (held coin)))
