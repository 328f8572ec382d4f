; Rooms: 3; ingredients: 3.
(define (problem cooking-world-train-04)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk - spot
    oil plum carrot parsnip apple - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at kitchen) (visited kitchen)
    (leads kitchen hall north) (leads hall kitchen south)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry north) (leads pantry hall south)
    (kitchen kitchen)
    (stands stove kitchen) (gives stove fried)
    (stands oven kitchen) (gives oven roasted)
    (stands grill pantry) (gives grill grilled)
    (stands fridge kitchen) (lid fridge) (shut fridge)
    (stands worktop kitchen)
    (stands cupboard kitchen) (lid cupboard) (shut cupboard)
    (stands drawer kitchen) (lid drawer) (shut drawer)
    (stands table kitchen)
    (stands shelf hall)
    (stands chest hall) (lid chest) (shut chest)
    (stands bench pantry)
    (stands trunk pantry) (lid trunk) (shut trunk)
    (in knife fridge) (in cookbook table)
    (in oil fridge) (raw oil) (whole oil)
    (in plum fridge) (raw plum) (whole plum)
    (in carrot trunk) (raw carrot) (whole carrot)
    (in parsnip fridge) (raw parsnip) (whole parsnip)
    (in apple bench) (raw apple) (whole apple)
    (wanted oil) (wants-whole oil) (wants-raw oil)
    (wanted plum) (wants-shape plum chopped) (wants-heat plum fried)
    (wanted carrot) (wants-shape carrot sliced) (wants-heat carrot roasted))
  (:goal
    (eaten)))
