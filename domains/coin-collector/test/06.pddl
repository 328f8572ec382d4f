; Rooms: 9; ways: 8.
(define (problem coin-collector-test-06)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar attic - room
    coin - item)
  (:init
    (agent-at garden) (visited garden)
    (leads kitchen hall south) (leads hall kitchen north)
    (leads kitchen pantry north) (leads pantry kitchen south)
    (door kitchen pantry) (door pantry kitchen) (closed kitchen pantry) (closed pantry kitchen)
    (leads pantry garden north) (leads garden pantry south)
    (door pantry garden) (door garden pantry) (closed pantry garden) (closed garden pantry)
    (leads garden bedroom west) (leads bedroom garden east)
    (door garden bedroom) (door bedroom garden) (closed garden bedroom) (closed bedroom garden)
    (leads kitchen parlour east) (leads parlour kitchen west)
    (door kitchen parlour) (door parlour kitchen) (closed kitchen parlour)
    (closed parlour kitchen)
    (leads garden bathroom east) (leads bathroom garden west)
    (door garden bathroom) (door bathroom garden) (closed garden bathroom)
    (closed bathroom garden)
    (leads garden cellar north) (leads cellar garden south)
    (leads hall attic east) (leads attic hall west)
    (door hall attic) (door attic hall) (closed hall attic) (closed attic hall)
    (in coin cellar))
  (:goal
    (held coin)))
