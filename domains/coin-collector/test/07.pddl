; Rooms: 10; ways: 11.
(define (problem coin-collector-test-07)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar attic study - room
    coin - item)
  (:init
    (agent-at parlour) (visited parlour)
    (leads kitchen hall south) (leads hall kitchen north)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry west) (leads pantry hall east)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads kitchen garden east) (leads garden kitchen west)
    (leads pantry bedroom north) (leads bedroom pantry south)
    (leads kitchen parlour north) (leads parlour kitchen south)
    (door kitchen parlour) (door parlour kitchen) (closed kitchen parlour)
    (closed parlour kitchen)
    (leads pantry bathroom south) (leads bathroom pantry north)
    (leads bathroom cellar east) (leads cellar bathroom west)
    (door bathroom cellar) (door cellar bathroom) (closed bathroom cellar)
    (closed cellar bathroom)
    (leads garden attic north) (leads attic garden south)
    (leads parlour attic east) (leads attic parlour west)
    (leads garden study south) (leads study garden north)
    (leads hall study east) (leads study hall west)
    (in coin bedroom))
  (:goal
    (held coin)))
