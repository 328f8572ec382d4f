; Rooms: 10; ways: 9.
(define (problem coin-collector-train-09)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar attic study - room
    coin - item)
  (:init
    (agent-at parlour) (visited parlour)
    (leads kitchen hall east) (leads hall kitchen west)
    (leads hall pantry east) (leads pantry hall west)
    (leads kitchen garden south) (leads garden kitchen north)
    (door kitchen garden) (door garden kitchen) (closed kitchen garden) (closed garden kitchen)
    (leads hall bedroom south) (leads bedroom hall north)
    (door hall bedroom) (door bedroom hall) (closed hall bedroom) (closed bedroom hall)
    (leads kitchen parlour west) (leads parlour kitchen east)
    (leads hall bathroom north) (leads bathroom hall south)
    (leads pantry cellar east) (leads cellar pantry west)
    (door pantry cellar) (door cellar pantry) (closed pantry cellar) (closed cellar pantry)
    (leads cellar attic south) (leads attic cellar north)
    (leads cellar study north) (leads study cellar south)
    (door cellar study) (door study cellar) (closed cellar study) (closed study cellar)
    (in coin bedroom))
  (:goal
    (held coin)))
