(define (domain rovers)
  (:requirements :strips :typing)
  (:types rover waypoint camera mode objective)
  (:predicates (traversable ?rover - rover ?from ?to - waypoint)
               (visible ?from ?to - waypoint)
               (visible-from ?objective - objective ?waypoint - waypoint)
               (mounted ?camera - camera ?rover - rover)
               (supports ?camera - camera ?mode - mode)
               (target ?camera - camera ?objective - objective)
               (lander ?waypoint - waypoint)
               (at ?rover - rover ?waypoint - waypoint)
               (empty ?rover - rover)
               (sample ?waypoint - waypoint)
               (analysed ?rover - rover ?waypoint - waypoint)
               (calibrated ?camera - camera)
               (image ?rover - rover ?objective - objective ?mode - mode)
               (known-sample ?waypoint - waypoint)
               (known-image ?objective - objective ?mode - mode))

  (:action navigate
    :parameters (?rover - rover ?from ?to - waypoint)
    :precondition (and (traversable ?rover ?from ?to) (visible ?from ?to) (at ?rover ?from))
    :effect (and (not (at ?rover ?from)) (at ?rover ?to)))

  (:action take-sample
    :parameters (?rover - rover ?waypoint - waypoint)
    :precondition (and (at ?rover ?waypoint) (sample ?waypoint) (empty ?rover))
    :effect (and (not (empty ?rover)) (not (sample ?waypoint)) (analysed ?rover ?waypoint)))

  (:action drop-sample
    :parameters (?rover - rover)
    :precondition (and)
    :effect (empty ?rover))

  (:action calibrate
    :parameters (?rover - rover ?camera - camera ?objective - objective ?waypoint - waypoint)
    :precondition (and (mounted ?camera ?rover) (target ?camera ?objective) (at ?rover ?waypoint)
                       (visible-from ?objective ?waypoint))
    :effect (calibrated ?camera))

  (:action take-image
    :parameters (?rover - rover ?waypoint - waypoint ?objective - objective ?camera - camera ?mode - mode)
    :precondition (and (calibrated ?camera) (mounted ?camera ?rover) (supports ?camera ?mode)
                       (visible-from ?objective ?waypoint) (at ?rover ?waypoint))
    :effect (and (not (calibrated ?camera)) (image ?rover ?objective ?mode)))

  (:action send-sample
    :parameters (?rover - rover ?about ?from ?to - waypoint)
    :precondition (and (at ?rover ?from) (lander ?to) (analysed ?rover ?about) (visible ?from ?to))
    :effect (known-sample ?about))

  (:action send-image
    :parameters (?rover - rover ?objective - objective ?mode - mode ?from ?to - waypoint)
    :precondition (and (at ?rover ?from) (lander ?to) (image ?rover ?objective ?mode) (visible ?from ?to))
    :effect (known-image ?objective ?mode)))
