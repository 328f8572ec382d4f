; Rooms: 2; ingredients: 2.
(define (problem cooking-world-train-01)
  (:domain cooking-world)
  (:objects
    kitchen hall - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest - spot
    honey milk fennel - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at kitchen) (visited kitchen)
    (leads kitchen hall south) (leads hall kitchen north)
    (kitchen kitchen)
    (stands stove kitchen) (gives stove fried)
    (stands oven kitchen) (gives oven roasted)
    (stands grill kitchen) (gives grill grilled)
    (stands fridge kitchen) (lid fridge) (shut fridge)
    (stands worktop kitchen)
    (stands cupboard kitchen) (lid cupboard) (shut cupboard)
    (stands drawer kitchen) (lid drawer) (shut drawer)
    (stands table kitchen)
    (stands shelf hall)
    (stands chest hall) (lid chest) (shut chest)
    (in knife table) (in cookbook table)
    (in honey chest) (raw honey) (whole honey)
    (in milk fridge) (raw milk) (whole milk)
    (in fennel chest) (raw fennel) (whole fennel)
    (wanted honey) (wants-whole honey) (wants-raw honey)
    (wanted milk) (wants-whole milk) (wants-raw milk))
  (:goal
    (eaten)))
