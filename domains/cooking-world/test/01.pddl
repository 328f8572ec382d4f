; Rooms: 2; ingredients: 2.
(define (problem cooking-world-test-01)
  (:domain cooking-world)
  (:objects
    kitchen hall - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest - spot
    parsnip plum carrot - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at hall) (visited hall)
    (leads kitchen hall west) (leads hall kitchen east)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
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
    (in knife drawer) (in cookbook table)
    (in parsnip worktop) (raw parsnip) (whole parsnip)
    (in plum worktop) (raw plum) (whole plum)
    (in carrot cupboard) (raw carrot) (whole carrot)
    (wanted parsnip) (wants-shape parsnip diced) (wants-raw parsnip)
    (wanted plum) (wants-shape plum diced) (wants-heat plum fried))
  (:goal
    (eaten)))
