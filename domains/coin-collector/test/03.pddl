; Rooms: 6; ways: 5.
(define (problem coin-collector-test-03)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour - room
    coin - item)
  (:init
    (agent-at bedroom) (visited bedroom)
    (leads kitchen hall west) (leads hall kitchen east)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads kitchen pantry east) (leads pantry kitchen west)
    (leads hall garden north) (leads garden hall south)
    (door hall garden) (door garden hall) (closed hall garden) (closed garden hall)
    (leads kitchen bedroom south) (leads bedroom kitchen north)
    (leads garden parlour east) (leads parlour garden west)
    (door garden parlour) (door parlour garden) (closed garden parlour) (closed parlour garden)
    (in coin parlour))
  (:goal
    (held coin)))
