; Rooms: 3; ingredients: 3.
(define (problem cooking-world-test-03)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk - spot
    tomato pear trout carrot ham - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at hall) (visited hall)
    (leads kitchen hall north) (leads hall kitchen south)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry west) (leads pantry hall east)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
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
    (in tomato fridge) (raw tomato) (whole tomato)
    (in pear fridge) (raw pear) (whole pear)
    (in trout worktop) (raw trout) (whole trout)
    (in carrot table) (raw carrot) (whole carrot)
    (in ham bench) (raw ham) (whole ham)
    (wanted tomato) (wants-whole tomato) (wants-raw tomato)
    (wanted pear) (wants-shape pear sliced) (wants-heat pear fried)
    (wanted trout) (wants-shape trout chopped) (wants-heat trout grilled))
  (:goal
    (eaten)))
