; Rooms: 8; ways: 8.
(define (problem coin-collector-train-07)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar - room
    coin - item)
  (:init
    (agent-at kitchen) (visited kitchen)
    (leads kitchen hall east) (leads hall kitchen west)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry east) (leads pantry hall west)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads pantry garden north) (leads garden pantry south)
    (door pantry garden) (door garden pantry) (closed pantry garden) (closed garden pantry)
    (leads kitchen bedroom west) (leads bedroom kitchen east)
    (door kitchen bedroom) (door bedroom kitchen) (closed kitchen bedroom)
    (closed bedroom kitchen)
    (leads garden parlour east) (leads parlour garden west)
    (door garden parlour) (door parlour garden) (closed garden parlour) (closed parlour garden)
    (leads parlour bathroom north) (leads bathroom parlour south)
    (leads hall cellar north) (leads cellar hall south)
    (door hall cellar) (door cellar hall) (closed hall cellar) (closed cellar hall)
    (leads garden cellar west) (leads cellar garden east)
    (door garden cellar) (door cellar garden) (closed garden cellar) (closed cellar garden)
    (in coin pantry))
  (:goal
    (held coin)))
