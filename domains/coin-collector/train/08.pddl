; Rooms: 9; ways: 8.
(define (problem coin-collector-train-08)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar attic - room
    coin - item)
  (:init
    (agent-at bedroom) (visited bedroom)
    (leads kitchen hall north) (leads hall kitchen south)
    (leads kitchen pantry east) (leads pantry kitchen west)
    (door kitchen pantry) (door pantry kitchen) (closed kitchen pantry) (closed pantry kitchen)
    (leads kitchen garden south) (leads garden kitchen north)
    (leads garden bedroom west) (leads bedroom garden east)
    (leads garden parlour south) (leads parlour garden north)
    (leads parlour bathroom south) (leads bathroom parlour north)
    (door parlour bathroom) (door bathroom parlour) (closed parlour bathroom)
    (closed bathroom parlour)
    (leads bathroom cellar south) (leads cellar bathroom north)
    (leads cellar attic west) (leads attic cellar east)
    (in coin bathroom))
  (:goal
    (held coin)))
