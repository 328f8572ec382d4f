; Rooms: 7; ways: 6.
(define (problem coin-collector-train-06)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom - room
    coin - item)
  (:init
    (agent-at hall) (visited hall)
    (leads kitchen hall north) (leads hall kitchen south)
    (leads kitchen pantry west) (leads pantry kitchen east)
    (door kitchen pantry) (door pantry kitchen) (closed kitchen pantry) (closed pantry kitchen)
    (leads hall garden north) (leads garden hall south)
    (leads pantry bedroom north) (leads bedroom pantry south)
    (door pantry bedroom) (door bedroom pantry) (closed pantry bedroom) (closed bedroom pantry)
    (leads pantry parlour west) (leads parlour pantry east)
    (door pantry parlour) (door parlour pantry) (closed pantry parlour) (closed parlour pantry)
    (leads pantry bathroom south) (leads bathroom pantry north)
    (in coin bedroom))
  (:goal
    (held coin)))
