; 5 balls, 3 rooms (star), 2 grippers.
(define (problem gripper-test-04)
  (:domain gripper)
  (:objects
    hall kitchen parlour - room
    ball-1 ball-2 ball-3 ball-4 ball-5 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door hall parlour) (door parlour hall)
    (robot-in hall)
    (free left) (free right)
    (in ball-3 hall) (in ball-4 hall) (in ball-5 hall)
    (in ball-1 parlour) (in ball-2 parlour))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 hall)
      (in ball-3 parlour)
      (in ball-4 kitchen)
      (in ball-5 parlour))))
