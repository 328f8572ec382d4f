; Rooms: 4; ways: 3.
(define (problem coin-collector-train-03)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden - room
    coin - item)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall east) (leads hall kitchen west)
    (leads hall pantry east) (leads pantry hall west)
    (leads pantry garden east) (leads garden pantry west)
    (door pantry garden) (door garden pantry) (closed pantry garden) (closed garden pantry)
    (in coin garden))
  (:goal
    (held coin)))
