; 6 balls, 4 rooms (star), 2 grippers.
(define (problem gripper-train-07)
  (:domain gripper)
  (:objects
    hall kitchen parlour study - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door hall parlour) (door parlour hall)
    (door hall study) (door study hall)
    (robot-in study)
    (free left) (free right)
    (in ball-2 hall) (in ball-5 hall)
    (in ball-6 kitchen)
    (in ball-1 study) (in ball-3 study) (in ball-4 study))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 kitchen)
      (in ball-3 hall)
      (in ball-4 hall)
      (in ball-5 kitchen)
      (in ball-6 hall))))
