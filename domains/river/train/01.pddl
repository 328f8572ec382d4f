; 0 columns of islands, 2 rows down to the falls.
(define (problem river-train-01)
  (:domain river)
  (:objects
    west-1 east-1 west-2 east-2 falls - spot)
  (:init
    (hiker-at west-2)
    (campfire west-1) (campfire east-2)
    (path west-1 west-2) (path west-2 west-1)
    (path east-1 east-2) (path east-2 east-1)
    (shallow west-1 east-1) (shallow east-1 west-1)
    (deep west-2 east-2) (deep east-2 west-2)
    (downstream west-1 west-2) (downstream east-1 east-2)
    (downstream west-2 falls) (downstream east-2 falls))
  (:goal
    (hiker-at east-1)))
