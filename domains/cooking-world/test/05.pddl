; Rooms: 4; ingredients: 4.
(define (problem cooking-world-test-05)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry garden - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk stool locker - spot
    milk parsnip lentil-loaf onion flour oil - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at hall) (visited hall)
    (leads kitchen hall west) (leads hall kitchen east)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry north) (leads pantry hall south)
    (leads hall garden south) (leads garden hall north)
    (door hall garden) (door garden hall) (closed hall garden) (closed garden hall)
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
    (in knife fridge) (in cookbook worktop)
    (in milk drawer) (raw milk) (whole milk)
    (in parsnip table) (raw parsnip) (whole parsnip)
    (in lentil-loaf fridge) (raw lentil-loaf) (whole lentil-loaf)
    (in onion chest) (raw onion) (whole onion)
    (in flour shelf) (raw flour) (whole flour)
    (in oil worktop) (raw oil) (whole oil)
    (wanted milk) (wants-whole milk) (wants-raw milk)
    (wanted parsnip) (wants-shape parsnip diced) (wants-raw parsnip)
    (wanted lentil-loaf) (wants-whole lentil-loaf) (wants-raw lentil-loaf)
    (wanted onion) (wants-whole onion) (wants-heat onion fried))
  (:goal
    (eaten)))
