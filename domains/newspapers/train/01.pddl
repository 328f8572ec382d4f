; Places: 2; readers: 1; titles: 1; papers: 1.
(define (problem newspapers-train-01)
  (:domain newspapers)
  (:objects
    press-house house-1 - place
    paper-1 - paper
    herald - title)
  (:init
    (at press-house)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (waiting house-1) (reads house-1 herald)
    (street press-house house-1) (street house-1 press-house))
  (:goal
    (satisfied house-1)))
