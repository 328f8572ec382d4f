; Rooms: 11; ways: 11.
(define (problem coin-collector-test-08)
  (:domain coin-collector)
  (:objects
    kitchen hall pantry garden bedroom parlour bathroom cellar attic study porch - room
    coin - item)
  (:init
    (agent-at bathroom) (visited bathroom)
    (leads kitchen hall north) (leads hall kitchen south)
    (leads hall pantry west) (leads pantry hall east)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads pantry garden north) (leads garden pantry south)
    (door pantry garden) (door garden pantry) (closed pantry garden) (closed garden pantry)
    (leads kitchen bedroom west) (leads bedroom kitchen east)
    (leads kitchen parlour east) (leads parlour kitchen west)
    (leads garden bathroom north) (leads bathroom garden south)
    (door garden bathroom) (door bathroom garden) (closed garden bathroom)
    (closed bathroom garden)
    (leads kitchen cellar south) (leads cellar kitchen north)
    (door kitchen cellar) (door cellar kitchen) (closed kitchen cellar) (closed cellar kitchen)
    (leads hall attic east) (leads attic hall west)
    (leads bedroom study south) (leads study bedroom north)
    (door bedroom study) (door study bedroom) (closed bedroom study) (closed study bedroom)
    (leads cellar study west) (leads study cellar east)
    (leads attic porch east) (leads porch attic west)
    (door attic porch) (door porch attic) (closed attic porch) (closed porch attic)
    (in coin kitchen))
  (:goal
    (held coin)))
