; 8 balls, 2 rooms (row), 2 grippers.
(define (problem gripper-train-06)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left) (free right)
    (in ball-1 hall) (in ball-2 hall) (in ball-3 hall) (in ball-4 hall) (in ball-5 hall)
    (in ball-6 hall) (in ball-7 hall) (in ball-8 hall))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 kitchen)
      (in ball-3 kitchen)
      (in ball-4 kitchen)
      (in ball-5 kitchen)
      (in ball-6 kitchen)
      (in ball-7 kitchen)
      (in ball-8 kitchen))))
