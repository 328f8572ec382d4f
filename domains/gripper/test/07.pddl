; 8 balls, 5 rooms (ring), 2 grippers.
(define (problem gripper-test-07)
  (:domain gripper)
  (:objects
    hall kitchen parlour study attic - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (door parlour study) (door study parlour)
    (door study attic) (door attic study)
    (door attic hall) (door hall attic)
    (robot-in study)
    (free left) (free right)
    (in ball-8 hall)
    (in ball-3 parlour) (in ball-4 parlour) (in ball-6 parlour) (in ball-7 parlour)
    (in ball-2 study) (in ball-5 study)
    (in ball-1 attic))
  (:goal
    (and
      (in ball-1 parlour)
      (in ball-2 parlour)
      (in ball-3 attic)
      (in ball-4 hall)
      (in ball-5 hall)
      (in ball-6 attic)
      (in ball-7 kitchen)
      (in ball-8 attic))))
