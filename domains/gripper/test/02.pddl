; One ball, 3 rooms (row), 2 grippers.
(define (problem gripper-test-02)
  (:domain gripper)
  (:objects
    hall kitchen parlour - room
    ball-1 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (robot-in hall)
    (free left) (free right)
    (in ball-1 parlour))
  (:goal
    (in ball-1 kitchen)))
