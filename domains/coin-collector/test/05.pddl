; Rooms: 8; ways: 7.
(define (problem coin-collector-test-05)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar - room
    coin - item)
  (:init
    (agent-at cellar) (visited cellar)
    (leads kitchen hall west) (leads hall kitchen east)
    (leads hall pantry south) (leads pantry hall north)
    (leads pantry garden east) (leads garden pantry west)
    (door pantry garden) (door garden pantry) (closed pantry garden) (closed garden pantry)
    (leads pantry bedroom west) (leads bedroom pantry east)
    (door pantry bedroom) (door bedroom pantry) (closed pantry bedroom) (closed bedroom pantry)
    (leads bedroom parlour south) (leads parlour bedroom north)
    (leads hall bathroom north) (leads bathroom hall south)
    (door hall bathroom) (door bathroom hall) (closed hall bathroom) (closed bathroom hall)
    (leads bedroom cellar west) (leads cellar bedroom east)
    (in coin garden))
  (:goal
    (held coin)))
