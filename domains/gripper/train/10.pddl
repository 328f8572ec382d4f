; 20 balls, 2 rooms (row), 2 grippers.
(define (problem gripper-train-10)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 ball-9 ball-10 ball-11 ball-12
    ball-13 ball-14 ball-15 ball-16 ball-17 ball-18 ball-19 ball-20 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left) (free right)
    (in ball-1 hall) (in ball-2 hall) (in ball-3 hall) (in ball-4 hall) (in ball-5 hall)
    (in ball-6 hall) (in ball-7 hall) (in ball-8 hall) (in ball-9 hall) (in ball-10 hall)
    (in ball-11 hall) (in ball-12 hall) (in ball-13 hall) (in ball-14 hall) (in ball-15 hall)
    (in ball-16 hall) (in ball-17 hall) (in ball-18 hall) (in ball-19 hall) (in ball-20 hall))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 kitchen)
      (in ball-3 kitchen)
      (in ball-4 kitchen)
      (in ball-5 kitchen)
      (in ball-6 kitchen)
      (in ball-7 kitchen)
      (in ball-8 kitchen)
      (in ball-9 kitchen)
      (in ball-10 kitchen)
      (in ball-11 kitchen)
      (in ball-12 kitchen)
      (in ball-13 kitchen)
      (in ball-14 kitchen)
      (in ball-15 kitchen)
      (in ball-16 kitchen)
      (in ball-17 kitchen)
      (in ball-18 kitchen)
      (in ball-19 kitchen)
      (in ball-20 kitchen))))
