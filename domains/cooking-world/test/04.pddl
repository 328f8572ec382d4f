; Rooms: 4; ingredients: 4.
(define (problem cooking-world-test-04)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry garden - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk stool locker - spot
    leek ham pear vinegar apple tomato - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall east) (leads hall kitchen west)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry south) (leads pantry hall north)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (leads hall garden north) (leads garden hall south)
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
    (in leek trunk) (raw leek) (whole leek)
    (in ham cupboard) (raw ham) (whole ham)
    (in pear cupboard) (raw pear) (whole pear)
    (in vinegar drawer) (raw vinegar) (whole vinegar)
    (in apple trunk) (raw apple) (whole apple)
    (in tomato trunk) (raw tomato) (whole tomato)
    (wanted leek) (wants-shape leek chopped) (wants-heat leek fried)
    (wanted ham) (wants-shape ham sliced) (wants-heat ham fried)
    (wanted pear) (wants-shape pear diced) (wants-heat pear fried)
    (wanted vinegar) (wants-whole vinegar) (wants-raw vinegar))
  (:goal
    (eaten)))
