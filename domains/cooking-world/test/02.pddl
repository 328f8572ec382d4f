; Rooms: 3; ingredients: 3.
(define (problem cooking-world-test-02)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk - spot
    ham pumpkin oil flour quince - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at kitchen) (visited kitchen)
    (leads kitchen hall south) (leads hall kitchen north)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry west) (leads pantry hall east)
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
    (in knife worktop) (in cookbook table)
    (in ham table) (raw ham) (whole ham)
    (in pumpkin bench) (raw pumpkin) (whole pumpkin)
    (in oil bench) (raw oil) (whole oil)
    (in flour worktop) (raw flour) (whole flour)
    (in quince chest) (raw quince) (whole quince)
    (wanted ham) (wants-whole ham) (wants-heat ham fried)
    (wanted pumpkin) (wants-whole pumpkin) (wants-heat pumpkin fried)
    (wanted oil) (wants-whole oil) (wants-raw oil))
  (:goal
    (eaten)))
