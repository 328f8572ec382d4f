; 1 column of islands, 2 rows down to the falls.
(define (problem river-train-03)
  (:domain river)
  (:objects
    west-1 isle-1-1 east-1 west-2 isle-1-2 east-2 falls - spot)
  (:init
    (hiker-at west-1)
    (campfire west-1) (campfire isle-1-1) (campfire east-1) (campfire west-2) (campfire east-2)
    (path west-1 west-2) (path west-2 west-1)
    (path east-1 east-2) (path east-2 east-1)
    (path isle-1-1 isle-1-2) (path isle-1-2 isle-1-1)
    (shallow west-1 isle-1-1) (shallow isle-1-1 west-1)
    (shallow isle-1-1 east-1) (shallow east-1 isle-1-1)
    (shallow west-2 isle-1-2) (shallow isle-1-2 west-2)
    (shallow isle-1-2 east-2) (shallow east-2 isle-1-2)
    (downstream west-1 west-2) (downstream isle-1-1 isle-1-2) (downstream east-1 east-2)
    (downstream west-2 falls) (downstream isle-1-2 falls) (downstream east-2 falls))
  (:goal
    (hiker-at east-1)))
