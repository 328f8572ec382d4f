(define (problem morning)
  (:domain delivery)
  (:objects lorry - truck
            letter - package
            town - place)
  (:init (at lorry depot) (at letter town) (road depot town) (road town depot))
  (:goal (at letter depot)))
