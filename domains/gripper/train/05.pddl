; 4 balls, 3 rooms (row), 2 grippers.
(define (problem gripper-train-05)
  (:domain gripper)
  (:objects
    hall kitchen parlour - room
    ball-1 ball-2 ball-3 ball-4 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (robot-in kitchen)
    (free left) (free right)
    (in ball-1 hall) (in ball-4 hall)
    (in ball-3 kitchen)
    (in ball-2 parlour))
  (:goal
    (and
      (in ball-1 parlour)
      (in ball-2 kitchen)
      (in ball-3 hall)
      (in ball-4 kitchen))))
