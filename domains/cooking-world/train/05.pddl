; Rooms: 4; ingredients: 4.
(define (problem cooking-world-train-05)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry garden - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk stool locker - spot
    beetroot turnip thyme aubergine pumpkin mushroom - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall south) (leads hall kitchen north)
    (leads kitchen pantry west) (leads pantry kitchen east)
    (door kitchen pantry) (door pantry kitchen) (closed kitchen pantry) (closed pantry kitchen)
    (leads pantry garden south) (leads garden pantry north)
    (kitchen kitchen)
    (stands stove kitchen) (gives stove fried)
    (stands oven kitchen) (gives oven roasted)
    (stands grill garden) (gives grill grilled)
    (stands fridge kitchen) (lid fridge) (shut fridge)
    (stands worktop kitchen)
    (stands cupboard kitchen) (lid cupboard) (shut cupboard)
    (stands drawer kitchen) (lid drawer) (shut drawer)
    (stands table kitchen)
    (stands shelf hall)
    (stands chest hall) (lid chest) (shut chest)
    (stands bench pantry)
    (stands trunk pantry) (lid trunk) (shut trunk)
    (stands stool garden)
    (stands locker garden) (lid locker) (shut locker)
    (in knife drawer) (in cookbook worktop)
    (in beetroot locker) (raw beetroot) (whole beetroot)
    (in turnip worktop) (raw turnip) (whole turnip)
    (in thyme locker) (raw thyme) (whole thyme)
    (in aubergine bench) (raw aubergine) (whole aubergine)
    (in pumpkin trunk) (raw pumpkin) (whole pumpkin)
    (in mushroom trunk) (raw mushroom) (whole mushroom)
    (wanted beetroot) (wants-shape beetroot sliced) (wants-raw beetroot)
    (wanted turnip) (wants-shape turnip diced) (wants-heat turnip fried)
    (wanted thyme) (wants-whole thyme) (wants-raw thyme)
    (wanted aubergine) (wants-whole aubergine) (wants-raw aubergine))
  (:goal
    (eaten)))
