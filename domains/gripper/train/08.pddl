; 8 balls, 4 rooms (ring), 2 grippers.
(define (problem gripper-train-08)
  (:domain gripper)
  (:objects
    hall kitchen parlour study - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (door parlour study) (door study parlour)
    (door study hall) (door hall study)
    (robot-in study)
    (free left) (free right)
    (in ball-5 hall)
    (in ball-8 kitchen)
    (in ball-4 parlour) (in ball-6 parlour)
    (in ball-1 study) (in ball-2 study) (in ball-3 study) (in ball-7 study))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 hall)
      (in ball-3 parlour)
      (in ball-4 hall)
      (in ball-5 kitchen)
      (in ball-6 hall)
      (in ball-7 hall)
      (in ball-8 parlour))))
