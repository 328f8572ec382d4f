; 4 rooms with 2 spots each.
(define (problem doors-test-04)
  (:domain doors)
  (:objects
    spot-1 spot-2 spot-3 spot-4 spot-5 spot-6 spot-7 spot-8 - spot
    room-1 room-2 room-3 room-4 - room
    key-2 key-3 key-4 - key)
  (:init
    (walker-at spot-1)
    (unlocked room-1)
    (in-room spot-1 room-1) (in-room spot-2 room-1)
    (in-room spot-3 room-2) (in-room spot-4 room-2)
    (in-room spot-5 room-3) (in-room spot-6 room-3)
    (in-room spot-7 room-4) (in-room spot-8 room-4)
    (opens key-2 room-2) (key-at key-2 spot-1)
    (opens key-3 room-3) (key-at key-3 spot-4)
    (opens key-4 room-4) (key-at key-4 spot-4)
    (step spot-1 spot-2) (step spot-2 spot-1)
    (step spot-3 spot-4) (step spot-4 spot-3)
    (step spot-5 spot-6) (step spot-6 spot-5)
    (step spot-7 spot-8) (step spot-8 spot-7)
    (step spot-1 spot-4) (step spot-4 spot-1)
    (step spot-2 spot-5) (step spot-5 spot-2)
    (step spot-5 spot-8) (step spot-8 spot-5))
  (:goal
    (walker-at spot-6)))
