; Rooms: 7; ways: 7.
(define (problem coin-collector-test-04)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom - room
    coin - item)
  (:init
    (agent-at kitchen) (visited kitchen)
    (leads kitchen hall north) (leads hall kitchen south)
    (leads kitchen pantry south) (leads pantry kitchen north)
    (leads pantry garden east) (leads garden pantry west)
    (leads garden bedroom north) (leads bedroom garden south)
    (door garden bedroom) (door bedroom garden) (closed garden bedroom) (closed bedroom garden)
    (leads bedroom parlour north) (leads parlour bedroom south)
    (leads hall parlour east) (leads parlour hall west)
    (leads pantry bathroom west) (leads bathroom pantry east)
    (door pantry bathroom) (door bathroom pantry) (closed pantry bathroom)
    (closed bathroom pantry)
    (in coin hall))
  (:goal
    (held coin)))
