; 2 rooms with 2 spots each.
(define (problem doors-train-01)
  (:domain doors)
  (:objects
    spot-1 spot-2 spot-3 spot-4 - spot
    room-1 room-2 - room
    key-2 - key)
  (:init
    (walker-at spot-1)
    (unlocked room-1)
    (in-room spot-1 room-1) (in-room spot-2 room-1)
    (in-room spot-3 room-2) (in-room spot-4 room-2)
    (opens key-2 room-2) (key-at key-2 spot-1)
    (step spot-1 spot-2) (step spot-2 spot-1)
    (step spot-3 spot-4) (step spot-4 spot-3)
    (step spot-1 spot-3) (step spot-3 spot-1))
  (:goal
    (walker-at spot-4)))
