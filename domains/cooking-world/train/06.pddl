; Rooms: 4; ingredients: 4.
(define (problem cooking-world-train-06)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry garden - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk stool locker - spot
    ham parsnip beetroot trout oil fennel - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at garden) (visited garden)
    (leads kitchen hall east) (leads hall kitchen west)
    (leads kitchen pantry west) (leads pantry kitchen east)
    (door kitchen pantry) (door pantry kitchen) (closed kitchen pantry) (closed pantry kitchen)
    (leads hall garden east) (leads garden hall west)
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
    (in knife drawer) (in cookbook table)
    (in ham chest) (raw ham) (whole ham)
    (in parsnip stool) (raw parsnip) (whole parsnip)
    (in beetroot drawer) (raw beetroot) (whole beetroot)
    (in trout drawer) (raw trout) (whole trout)
    (in oil cupboard) (raw oil) (whole oil)
    (in fennel worktop) (raw fennel) (whole fennel)
    (wanted ham) (wants-shape ham sliced) (wants-heat ham roasted)
    (wanted parsnip) (wants-shape parsnip chopped) (wants-heat parsnip grilled)
    (wanted beetroot) (wants-shape beetroot sliced) (wants-raw beetroot)
    (wanted trout) (wants-shape trout diced) (wants-raw trout))
  (:goal
    (eaten)))
