; One ball, 2 rooms (row), 1 gripper.
(define (problem gripper-test-01)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 - ball
    left - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left)
    (in ball-1 hall))
  (:goal
    (in ball-1 kitchen)))
