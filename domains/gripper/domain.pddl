; Gripper: a robot with a few grippers carries balls through the doors of a house.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball gripper)
  (:predicates
    (door ?from ?to - room)
    (robot-in ?room - room)
    (in ?ball - ball ?room - room)
    (free ?gripper - gripper)
    (carrying ?ball - ball ?gripper - gripper))

  (:action move
    :parameters (?from ?to - room)
    :precondition (and
      (robot-in ?from)
      (door ?from ?to))
    :effect (and
      (robot-in ?to)
      (not (robot-in ?from))))

  (:action pick
    :parameters (?ball - ball ?room - room ?gripper - gripper)
    :precondition (and
      (robot-in ?room)
      (in ?ball ?room)
      (free ?gripper))
    :effect (and
      (carrying ?ball ?gripper)
      (not (in ?ball ?room))
      (not (free ?gripper))))

  (:action drop
    :parameters (?ball - ball ?room - room ?gripper - gripper)
    :precondition (and
      (robot-in ?room)
      (carrying ?ball ?gripper))
    :effect (and
      (in ?ball ?room)
      (free ?gripper)
      (not (carrying ?ball ?gripper)))))
