; One ball, 2 rooms (row), 2 grippers.
(define (problem gripper-train-01)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left) (free right)
    (in ball-1 hall))
  (:goal
    (in ball-1 kitchen)))
