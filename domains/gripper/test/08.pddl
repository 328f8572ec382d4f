; 10 balls, 6 rooms (star), 2 grippers.
(define (problem gripper-test-08)
  (:domain gripper)
  (:objects
    hall kitchen parlour study attic cellar - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 ball-9 ball-10 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door hall parlour) (door parlour hall)
    (door hall study) (door study hall)
    (door hall attic) (door attic hall)
    (door hall cellar) (door cellar hall)
    (robot-in kitchen)
    (free left) (free right)
    (in ball-2 hall) (in ball-10 hall)
    (in ball-3 kitchen) (in ball-4 kitchen) (in ball-5 kitchen)
    (in ball-7 parlour)
    (in ball-1 study) (in ball-8 study)
    (in ball-9 attic)
    (in ball-6 cellar))
  (:goal
    (and
      (in ball-1 hall)
      (in ball-2 parlour)
      (in ball-3 parlour)
      (in ball-4 cellar)
      (in ball-5 attic)
      (in ball-6 study)
      (in ball-7 cellar)
      (in ball-8 attic)
      (in ball-9 parlour)
      (in ball-10 parlour))))
