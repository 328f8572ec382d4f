; Rooms: 5; ways: 4.
(define (problem coin-collector-train-04)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom - room
    coin - item)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall east) (leads hall kitchen west)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry south) (leads pantry hall north)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads hall garden north) (leads garden hall south)
    (leads pantry bedroom east) (leads bedroom pantry west)
    (in coin hall))
  (:goal
    (held coin)))
