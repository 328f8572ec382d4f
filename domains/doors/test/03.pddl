; 3 rooms with 3 spots each.
(define (problem doors-test-03)
  (:domain doors)
  (:objects
    spot-1 spot-2 spot-3 spot-4 spot-5 spot-6 spot-7 spot-8 spot-9 - spot
    room-1 room-2 room-3 - room
    key-2 key-3 - key)
  (:init
    (walker-at spot-1)
    (unlocked room-1)
    (in-room spot-1 room-1) (in-room spot-2 room-1) (in-room spot-3 room-1)
    (in-room spot-4 room-2) (in-room spot-5 room-2) (in-room spot-6 room-2)
    (in-room spot-7 room-3) (in-room spot-8 room-3) (in-room spot-9 room-3)
    (opens key-2 room-2) (key-at key-2 spot-1)
    (opens key-3 room-3) (key-at key-3 spot-1)
    (step spot-1 spot-2) (step spot-2 spot-1)
    (step spot-2 spot-3) (step spot-3 spot-2)
    (step spot-4 spot-5) (step spot-5 spot-4)
    (step spot-5 spot-6) (step spot-6 spot-5)
    (step spot-7 spot-8) (step spot-8 spot-7)
    (step spot-8 spot-9) (step spot-9 spot-8)
    (step spot-3 spot-4) (step spot-4 spot-3)
    (step spot-4 spot-9) (step spot-9 spot-4))
  (:goal
    (walker-at spot-6)))
