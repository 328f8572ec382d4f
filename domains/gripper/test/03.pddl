; 3 balls, 3 rooms (ring), 2 grippers.
(define (problem gripper-test-03)
  (:domain gripper)
  (:objects
    hall kitchen parlour - room
    ball-1 ball-2 ball-3 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (door parlour hall) (door hall parlour)
    (robot-in hall)
    (free left) (free right)
    (in ball-2 hall)
    (in ball-1 kitchen) (in ball-3 kitchen))
  (:goal
    (and
      (in ball-1 hall)
      (in ball-2 kitchen)
      (in ball-3 parlour))))
