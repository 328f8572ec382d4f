; Rooms: 4; ways: 3.
(define (problem coin-collector-test-01)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden - room
    coin - item)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall south) (leads hall kitchen north)
    (leads hall pantry east) (leads pantry hall west)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads pantry garden east) (leads garden pantry west)
    (door pantry garden) (door garden pantry) (closed pantry garden) (closed garden pantry)
    (in coin garden))
  (:goal
    (held coin)))
