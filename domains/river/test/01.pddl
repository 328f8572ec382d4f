; 0 columns of islands, 3 rows down to the falls.
(define (problem river-test-01)
  (:domain river)
  (:objects
    west-1 east-1 west-2 east-2 west-3 east-3 falls - spot)
  (:init
    (hiker-at west-3)
    (campfire west-1) (campfire east-2) (campfire west-3) (campfire east-3)
    (path west-1 west-2) (path west-2 west-1)
    (path east-1 east-2) (path east-2 east-1)
    (path west-2 west-3) (path west-3 west-2)
    (path east-2 east-3) (path east-3 east-2)
    (shallow west-3 east-3) (shallow east-3 west-3)
    (deep west-1 east-1) (deep east-1 west-1)
    (deep west-2 east-2) (deep east-2 west-2)
    (downstream west-1 west-2) (downstream east-1 east-2)
    (downstream west-2 west-3) (downstream east-2 east-3)
    (downstream west-3 falls) (downstream east-3 falls))
  (:goal
    (hiker-at east-2)))
