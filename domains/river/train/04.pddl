; 1 column of islands, 3 rows down to the falls.
(define (problem river-train-04)
  (:domain river)
  (:objects
    west-1 isle-1-1 east-1 west-2 isle-1-2 east-2 west-3 isle-1-3 east-3 falls - spot)
  (:init
    (hiker-at west-3)
    (campfire west-3) (campfire east-3)
    (path west-1 west-2) (path west-2 west-1)
    (path east-1 east-2) (path east-2 east-1)
    (path isle-1-1 isle-1-2) (path isle-1-2 isle-1-1)
    (path west-2 west-3) (path west-3 west-2)
    (path east-2 east-3) (path east-3 east-2)
    (shallow isle-1-1 east-1) (shallow east-1 isle-1-1)
    (shallow west-2 isle-1-2) (shallow isle-1-2 west-2)
    (shallow west-3 isle-1-3) (shallow isle-1-3 west-3)
    (deep west-1 isle-1-1) (deep isle-1-1 west-1)
    (deep isle-1-2 east-2) (deep east-2 isle-1-2)
    (downstream west-1 west-2) (downstream isle-1-1 isle-1-2) (downstream east-1 east-2)
    (downstream west-2 west-3) (downstream isle-1-2 isle-1-3) (downstream east-2 east-3)
    (downstream west-3 falls) (downstream isle-1-3 falls) (downstream east-3 falls))
  (:goal
    (hiker-at east-1)))
