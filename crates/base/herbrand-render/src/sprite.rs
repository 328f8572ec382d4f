//! Figures, drawn for this crate on a field of 24 by 24 units.

use serde::Deserialize;

/// How a part of a figure gets its colour: from the figure, or fixed. [`Sprite::parts`] returns one for each part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Paint {
    /// The colour in which the figure is drawn.
    Main,
    /// A translucent dark shade over the figure.
    Shade,
    /// Slightly translucent white.
    White,
}

/// A part of a figure: how it gets its colour, and its outline as an SVG path on a field of 24 by 24 units, whose
/// origin is the upper left corner. [`Sprite::parts`] returns them.
pub type SpritePart = (Paint, &'static str);

macro_rules! sprites {
    ($($(#[$doc:meta])* $Name:ident $name:literal $parts:expr;)*) => {
        /// A figure that pictures can draw, by name, such as a robot or a crate. Declarations name figures, as in
        /// [`Layer::shape`](crate::declare::Layer); [`SceneElement::Sprite`](crate::scene::SceneElement) draws one.
        /// [`name`](Self::name) gives the name of each variant.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
        pub enum Sprite {
            $($(#[$doc])* #[serde(rename = $name)] $Name,)*
        }

        impl Sprite {
            /// All figures, in the order of the variants.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Returns the name of the figure in declarations.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $name),* }
            }

            /// Returns the parts of the figure from bottom to top.
            #[must_use]
            pub const fn parts(self) -> &'static [SpritePart] {
                match self { $(Self::$Name => $parts),* }
            }
        }
    };
}

use Paint::{Main, Shade, White};

sprites! {
    /// A disc.
    Disc "disc" &[(Main, "M12 2a10 10 0 1 0 .01 0z")];
    /// A small disc.
    Dot "dot" &[(Main, "M12 7a5 5 0 1 0 .01 0z")];
    /// A ring.
    Ring "ring" &[(Main, "M12 2a10 10 0 1 0 .01 0zM12 5.5a6.5 6.5 0 1 1-.01 0z")];
    /// A square.
    Square "square" &[(Main, "M4 3h16q1 0 1 1v16q0 1-1 1H4q-1 0-1-1V4q0-1 1-1z")];
    /// A square standing on a corner.
    Diamond "diamond" &[(Main, "M12 1.5 22.5 12 12 22.5 1.5 12z")];
    /// A triangle.
    Triangle "triangle" &[(Main, "M12 2.5 22.5 21h-21z")];
    /// A star of five points.
    Star "star" &[(Main, "M12 1.5l3.1 6.9 7.4.8-5.5 5 1.5 7.4L12 17.8l-6.5 3.8L7 14.2l-5.5-5 7.4-.8z")];
    /// A heart.
    Heart "heart" &[(Main, "M12 21C4 15 1.5 11.5 1.5 8A5.3 5.3 0 0 1 12 6.3 5.3 5.3 0 0 1 22.5 8c0 3.5-2.5 7-10.5 13z")];
    /// A cross, such as for broken things.
    Cross "cross" &[(Main, "M5 2l7 7 7-7 3 3-7 7 7 7-3 3-7-7-7 7-3-3 7-7-7-7z")];
    /// A tick, such as for finished things.
    Check "check" &[(Main, "M2 12.5l3.2-3.2 4.3 4.3L18.8 4 22 7.2 9.5 20z")];
    /// Concentric rings, such as for a target.
    Target "target" &[(Main, "M12 1a11 11 0 1 0 .01 0z"), (White, "M12 4.5a7.5 7.5 0 1 0 .01 0z"), (Main, "M12 8a4 4 0 1 0 .01 0z")];
    /// A flag on a pole.
    Flag "flag" &[(Shade, "M4 1.5h2.2V23H4z"), (Main, "M6.2 2.5H21l-4 5 4 5H6.2z")];
    /// A person.
    Person "person" &[(Main, "M12 1.5a4.6 4.6 0 1 0 .01 0zM12 12c-5.5 0-8.5 3-8.5 7.5V23h17v-3.5c0-4.5-3-7.5-8.5-7.5z")];
    /// A robot.
    Robot "robot" &[(Main, "M11 1h2v3h6q2 0 2 2v11q0 2-2 2H5q-2 0-2-2V6q0-2 2-2h6zM6 20h4v3H6zM14 20h4v3h-4zM.5 9H2v6H.5zM22 9h1.5v6H22z"), (White, "M8 7.5a2.2 2.2 0 1 0 .01 0zM16 7.5a2.2 2.2 0 1 0 .01 0z"), (Shade, "M7 14.2h10v2H7z")];
    /// A car from the side.
    Car "car" &[(Main, "M1.5 12.5q0-1.5 1.5-1.5l2.5-.6L8 6q.6-1 2-1h6q1.4 0 2 1l2.3 4.5 1.4.6q.8.4.8 1.4V17h-21z"), (White, "M7.6 10.4L9.3 7h2.4v3.4zM13 7h2.7l1.8 3.4H13z"), (Shade, "M6.5 14a3 3 0 1 0 .01 0zM17.5 14a3 3 0 1 0 .01 0z")];
    /// A truck from the side.
    Truck "truck" &[(Main, "M1 5h13v12H1zM15 8.5h4.5L23 12.5V17h-8z"), (White, "M16.3 10h2.6l2 2.6h-4.6z"), (Shade, "M6 14.5a3 3 0 1 0 .01 0zM18.5 14.5a3 3 0 1 0 .01 0z")];
    /// A train from the front.
    Train "train" &[(Main, "M7 2h10q4 0 4 4v10q0 3-3 3H6q-3 0-3-3V6q0-4 4-4z"), (White, "M6 6h5v5H6zM13 6h5v5h-5z"), (Shade, "M7 13.5a1.6 1.6 0 1 0 .01 0zM17 13.5a1.6 1.6 0 1 0 .01 0zM7 20h2l-3 3.2H3.6zM15 20h2l3.4 3.2H18z")];
    /// An aircraft from above, heading up.
    Plane "plane" &[(Main, "M12 1c1.3 0 1.8 1.6 1.8 3.2v4.5L22.5 14v2.4l-8.7-2.6v4.5l2.8 2.1v2L12 21.2l-4.6 1.2v-2l2.8-2.1v-4.5L1.5 16.4V14l8.7-5.3V4.2C10.2 2.6 10.7 1 12 1z")];
    /// A drone with four rotors.
    Drone "drone" &[(Main, "M5 1.5a3.6 3.6 0 1 0 .01 0zM19 1.5a3.6 3.6 0 1 0 .01 0zM5 15.3a3.6 3.6 0 1 0 .01 0zM19 15.3a3.6 3.6 0 1 0 .01 0zM8.5 8.5h7v7h-7z"), (Shade, "M4.3 5.7l1.4-1.4 14 14-1.4 1.4zM18.3 4.3l1.4 1.4-14 14-1.4-1.4z")];
    /// A boat from the side.
    Boat "boat" &[(Main, "M1.5 13h21l-3.5 8H5z"), (Shade, "M5 8h12v5H5zM8 2.5h3V8H8z"), (White, "M6.7 9.6h2v2h-2zM10 9.6h2v2h-2zM13.3 9.6h2v2h-2z")];
    /// A rover with six wheels.
    Rover "rover" &[(Main, "M3 9h17q1.5 0 1.5 1.5V15H1.5v-4.5Q1.5 9 3 9zM15.5 2.5H20v3.2h-1.5V9H17V5.7h-1.5z"), (Shade, "M5 14.5a3 3 0 1 0 .01 0zM12 14.5a3 3 0 1 0 .01 0zM19 14.5a3 3 0 1 0 .01 0z")];
    /// A racing car from above, heading up.
    Racer "racer" &[(Main, "M10 1.5h4l1.5 7v10q0 3-3.5 3t-3.5-3v-10zM7.5 2.5h9v2h-9zM6.5 19.5h11v2.5h-11z"), (Shade, "M4.5 5.5h3v5h-3zM16.5 5.5h3v5h-3zM4 13.5h3.5v5.5H4zM16.5 13.5H20v5.5h-3.5zM10.5 10h3v4h-3z")];
    /// A cart on two wheels.
    Cart "cart" &[(Main, "M2 8h20v9H2z"), (Shade, "M6.5 15a3.2 3.2 0 1 0 .01 0zM17.5 15a3.2 3.2 0 1 0 .01 0z")];
    /// A bar from the centre of its frame to the top.
    Pole "pole" &[(Main, "M11 0h2v12h-2z"), (Shade, "M12 10.5a1.5 1.5 0 1 0 .01 0z")];
    /// A wheel with a tire.
    Tire "tire" &[(Shade, "M12 1a11 11 0 1 0 .01 0z"), (Main, "M12 5a7 7 0 1 0 .01 0z"), (White, "M12 9.5a2.5 2.5 0 1 0 .01 0z")];
    /// A house.
    House "house" &[(Main, "M12 2L23 11.5h-3V22H4V11.5H1z"), (White, "M9.7 14h4.6v8H9.7z")];
    /// A building of several floors.
    Tower "tower" &[(Main, "M4 2h16v20H4z"), (White, "M7 5h3.5v3.4H7zM13.5 5H17v3.4h-3.5zM7 11h3.5v3.4H7zM13.5 11H17v3.4h-3.5zM10 17h4v5h-4z")];
    /// A building with a cross.
    Hospital "hospital" &[(Main, "M3 2h18v20H3z"), (White, "M10 5h4v4.5h4.5v4H14V18h-4v-4.5H5.5v-4H10z")];
    /// A tent.
    Tent "tent" &[(Main, "M12 3L23 21H1z"), (White, "M12 10l4.5 11h-9z")];
    /// A wall of bricks.
    Wall "wall" &[(Main, "M0 0h24v24H0z"), (Shade, "M0 7.2h24v1.2H0zM0 15.6h24v1.2H0zM11.4 0h1.2v7.2h-1.2zM5.4 8.4h1.2v7.2H5.4zM17.4 8.4h1.2v7.2h-1.2zM11.4 16.8h1.2V24h-1.2z")];
    /// A heap of stones.
    Rubble "rubble" &[(Main, "M2 21l2-6 4-2 3-6 5-1 3 6 3 3v6z"), (Shade, "M8 13l4 3-2 5H8.6l1.6-4.6L6.6 14zM12 7l1.4 5 4.6 1.6-.4 1.2-5.2-1.8-1.6-5z")];
    /// A rock.
    Rock "rock" &[(Main, "M7 4l9-1 6 7-2 9-8 3-9-3-1-8z"), (Shade, "M16 3l-2.5 7.5L22 10l-2 9-8 3 1.5-11.5L7 4z")];
    /// A crate.
    Crate "crate" &[(Main, "M2 3h20v18H2z"), (Shade, "M4 5h16v2H4zM4 17h16v2H4zM4 8.4l1.8-1.4L20 15.6 18.2 17z")];
    /// A parcel with a ribbon.
    Package "package" &[(Main, "M2.5 5h19v16h-19z"), (White, "M10.5 5h3v16h-3zM2.5 9.4h19v2h-19z")];
    /// A ball.
    Ball "ball" &[(Main, "M12 1.5a10.5 10.5 0 1 0 .01 0z"), (White, "M8.6 4.6a4 2.6 0 1 0 .01 0z")];
    /// A key.
    Key "key" &[(Main, "M7 6.5a5.5 5.5 0 1 0 5.2 7.3h3v3.4h3.4v-3.4H20v2.4h3v-5.6H12.2A5.5 5.5 0 0 0 7 6.5zM7 10a2 2 0 1 1-.01 0z")];
    /// A closed lock.
    Lock "lock" &[(Shade, "M7 11V8a5 5 0 0 1 10 0v3h-2.6V8a2.4 2.4 0 0 0-4.8 0v3z"), (Main, "M4 10.5h16V22H4z"), (White, "M12 14a1.6 1.6 0 0 1 1 2.9V20h-2v-3.1a1.6 1.6 0 0 1 1-2.9z")];
    /// A gate of bars.
    Gate "gate" &[(Main, "M2 2h3v20H2zM19 2h3v20h-3zM7 4h2.4v18H7zM10.9 4h2.4v18h-2.4zM14.7 4h2.4v18h-2.4z"), (Shade, "M5 6h14v2.4H5zM5 15.6h14V18H5z")];
    /// A lever.
    Lever "lever" &[(Shade, "M3 18h18v4H3z"), (Main, "M17 2a3.6 3.6 0 0 1 .9 7.1L13.5 18h-3.4l5-10.2A3.6 3.6 0 0 1 17 2z")];
    /// Flames.
    Fire "fire" &[(Main, "M12.5 1c.8 4 6.8 7 6.8 13.4A7.3 7.3 0 0 1 12 22.6a7.3 7.3 0 0 1-7.3-7.8c0-3.6 2-5.6 3-8.3 1.6 1 2.2 2.3 2.3 3.7C11.800 7.600 12.800 4.500 12.500 1z"), (White, "M12.200 12c.6 2 3 3.200 3 6a3.300 3.300 0 0 1-6.600 0c0-1.900 1-2.700 1.500-4 1 .6 1.200 1.200 1.300 2 .6-1.200.9-2.500.8-4z")];
    /// Waves.
    Water "water" &[(Main, "M1 6.500q2.750-3.500 5.500 0t5.500 0 5.500 0 5.500 0v3.200q-2.750 3.500-5.500 0t-5.500 0-5.500 0-5.500 0zM1 14.500q2.750-3.500 5.500 0t5.500 0 5.500 0 5.500 0v3.200q-2.750 3.500-5.500 0t-5.500 0-5.500 0-5.500 0z")];
    /// A hill with a peak.
    Hill "hill" &[(Main, "M.5 21L10 4l5 8 2-2.800L23.500 21z"), (White, "M10 4l3.200 5.200-2 1.400-1.600-1.600-2.400 1.400z")];
    /// A tree.
    Tree "tree" &[(Shade, "M10.300 16h3.400v7h-3.400z"), (Main, "M12 .8l6 7.200h-3l5.500 6h-3.200l4 4.500H2.700l4-4.500H3.500L9 8H6z")];
    /// A plant with leaves.
    Plant "plant" &[(Main, "M10.800 23v-8C4 15 1.500 11 1.500 5.500 7.500 5.500 11 8 12 12c.6-5 4-8.500 10.500-9 0 7.500-3.500 11-9.300 11.500V23z")];
    /// An apple.
    Apple "apple" &[(Main, "M12 7c-3-2.200-9.500-1.200-9.500 6C2.500 18 6 22.500 9 22.500c1.200 0 2-.6 3-.6s1.800.6 3 .6c3 0 6.500-4.500 6.500-9.500 0-7.200-6.500-8.200-9.500-6z"), (Shade, "M11.300 6.500c0-2.200.8-4 2.700-5.500l1.300 1.200c-1.500 1.300-2.200 2.700-2.200 4.300z")];
    /// A gem.
    Gem "gem" &[(Main, "M6 3h12l5 6.500L12 22 1 9.500z"), (White, "M7 5h4.500L8.500 9H4z"), (Shade, "M1 9.500h22v.9H1zM12 22L8 10h8z")];
    /// A coin.
    Coin "coin" &[(Main, "M12 1.500a10.500 10.500 0 1 0 .01 0z"), (Shade, "M12 4.500a7.500 7.500 0 1 0 .01 0zM12 6a6 6 0 1 1-.01 0z"), (White, "M10.800 8h2.400v8h-2.400z")];
    /// A coupon or ticket.
    Ticket "ticket" &[(Main, "M1.500 6h21v4a2 2 0 0 0 0 4v4h-21v-4a2 2 0 0 0 0-4z"), (White, "M15.200 7.500h1.600v2h-1.600zM15.200 11h1.600v2h-1.600zM15.200 14.500h1.600v2h-1.600z")];
    /// A gift.
    Gift "gift" &[(Main, "M3 11h18v11H3zM2 7h20v3.500H2z"), (White, "M10.500 7h3v15h-3z"), (Shade, "M12 7C9 7 6 6 6 4s4-3 6 1c2-4 6-3 6-1s-3 3-6 3z")];
    /// A newspaper.
    Paper "newspaper" &[(Main, "M2 4h17v14.500a1.500 1.500 0 0 0 3 0V8h1.500v11a3 3 0 0 1-3 3H4.500a2.500 2.500 0 0 1-2.500-2.500z"), (White, "M4.500 7h12v3h-12zM4.500 12h5v5h-5zM11 12h5.500v1.500H11zM11 15.500h5.500V17H11z")];
    /// A tool.
    Wrench "wrench" &[(Main, "M22 6.500a6 6 0 0 1-8 5.600L6.500 20.500a2.600 2.600 0 0 1-3.700-3.700L11.400 9.500A6 6 0 0 1 18.500 1.800L15 5.300l.8 3 3 .8 3-3z")];
    /// A nut.
    Nut "nut" &[(Main, "M7 2.500h10l5 9.500-5 9.500H7L2 12zM12 8a4 4 0 1 1-.01 0z")];
    /// A screw.
    Screw "screw" &[(Main, "M4 2h16v4.500l-3 2H7l-3-2zM9 8.500h6v11L12 23l-3-3.500z"), (White, "M9 11.200l6-1.400v1.600l-6 1.400zM9 14.600l6-1.400v1.600l-6 1.400zM9 18l6-1.400v1.600L9 19.600z")];
    /// A cog wheel.
    Gear "gear" &[(Main, "M10 1h4l.6 3.200 2.200.9L19.500 3.200l2.800 2.800-1.900 2.700.9 2.200 2.700.6v3l-2.700.6-.9 2.200 1.900 2.700-2.800 2.800-2.700-1.900-2.200.9L14 23h-4l-.6-3.200-2.200-.9-2.700 1.900L1.700 18l1.900-2.700-.9-2.200L0 12.500v-3l2.700-.6.9-2.200L1.700 4l2.800-2.800L7.200 3.100l2.200-.9zM12 8a4 4 0 1 1-.01 0z")];
    /// A computer.
    Computer "computer" &[(Main, "M2 3h20v14H2zM8 19h8v2.500H8z"), (White, "M4.200 5.200h15.600v9.600H4.200z"), (Shade, "M6 7h7v1.500H6zM6 10h10v1.500H6z")];
    /// A lamp that is on.
    Lamp "lamp" &[(Main, "M12 1a8 8 0 0 0-4.600 14.500V18h9.200v-2.500A8 8 0 0 0 12 1z"), (Shade, "M8 19h8v1.700H8zM9.500 21.500h5V23h-5z")];
    /// A flash of lightning.
    Bolt "bolt" &[(Main, "M13.500 1L4 13.500h6L8.500 23 20 9.500h-7z")];
    /// A snow crystal.
    Snow "snow" &[(Main, "M11 1h2v22h-2zM1.970 7.370l1-1.740 19.060 11-1 1.740zM21.030 5.630l1 1.740-19.060 11-1-1.740zM8.200 1.800l3.800 3 3.800-3 1 1.500-4.800 4-4.800-4zM7.200 20.700l4.800-4 4.800 4-1 1.500-3.800-3-3.800 3z")];
    /// A pan from the side.
    Pan "pan" &[(Main, "M1 9h15.500q0 9-4.500 9H5.500Q1 18 1 9z"), (Shade, "M16 10h7.500v2.600H16z")];
    /// An oven.
    Oven "oven" &[(Main, "M2 2h20v20H2z"), (White, "M5 9.500h14V19H5z"), (Shade, "M6 4a1.500 1.500 0 1 0 .01 0zM11 4a1.500 1.500 0 1 0 .01 0zM6.500 11h11v1.500h-11z")];
    /// An egg.
    Egg "egg" &[(Main, "M12 1.500c4.500 0 8 7 8 12a8 8.800 0 0 1-16 0c0-5 3.500-12 8-12z"), (White, "M9.500 5.500a2 3.200 0 1 0 .01 0z")];
    /// A sack.
    Sack "sack" &[(Main, "M8 2h8l-1.500 4.500C19 9 21.500 13.500 21.500 17c0 4-3 5.500-9.500 5.500S2.500 21 2.500 17C2.500 13.500 5 9 9.500 6.500z"), (Shade, "M8.500 6h7v1.800h-7z")];
    /// A piece of butter or soap.
    Bar "bar" &[(Main, "M2 10l4-4h16v8l-4 4H2z"), (Shade, "M18 10l4-4v8l-4 4z")];
    /// A cake.
    Cake "cake" &[(Main, "M2 12q0-3 3-3h14q3 0 3 3v9H2z"), (White, "M2 13q2.500 3.500 5 0 2.500 3.500 5 0 2.500 3.500 5 0 2.500 3.500 5 0v2.500q-2.500 3.500-5 0-2.500 3.500-5 0-2.500 3.500-5 0-2.500 3.500-5 0z"), (Shade, "M11 3h2v6h-2z")];
    /// Bubbles, such as of soap.
    Bubbles "bubbles" &[(Main, "M8 8a7 7 0 1 0 .01 0zM17.500 2a4.500 4.500 0 1 0 .01 0zM19 13a3 3 0 1 0 .01 0z"), (White, "M6 10.500a2 2 0 1 0 .01 0zM16.500 3.600a1.300 1.300 0 1 0 .01 0z")];
    /// A stain.
    Stain "stain" &[(Main, "M9 3c4-2 6 2 9 3s4 5 2 8 0 6-4 6-5 3-9 1-5-4-4-8S5 5 9 3z")];
    /// A refrigerator.
    Fridge "fridge" &[(Main, "M5 1.500h14v21H5z"), (Shade, "M5 9h14v1.300H5zM7 4.500h1.700v3H7zM7 12h1.700v4H7z")];
    /// A compressor.
    Compressor "compressor" &[(Main, "M3 6h13v14H3zM16 9h3v8h-3zM19.500 11h3v4h-3z"), (White, "M9.500 9a4 4 0 1 0 .01 0z"), (Shade, "M9 13L13 9.500l.8.9-4 3.600zM5 20h3v2.500H5zM11 20h3v2.500h-3z")];
    /// A gripper's fingers.
    Gripper "gripper" &[(Main, "M10 1h4v5h5.500v8L16 19l-1.800-1.600 2-3.600V9H7.800v4.800l2 3.600L8 19l-3.500-5V6H10z")];
    /// A hook on a rope.
    Hook "hook" &[(Main, "M10.800 0h2.400v7.500h2.300V12h-2.300v2.500a2.400 2.400 0 1 1-4.600 1H5.800a5.600 5.600 0 1 0 7.400-5.700V12H8.500V7.500h2.300z")];
    /// A pallet.
    Pallet "pallet" &[(Main, "M1 9h22v4H1zM2 13h4v5H2zM10 13h4v5h-4zM18 13h4v5h-4z")];
    /// A fork.
    Fork "fork" &[(Main, "M6 1h2.400v7H10V1h2.400v7H14V1h2.400v8.500q0 3-3.200 3.500v10h-3.800V13Q6 12.500 6 9.500z")];
    /// A steaming bowl.
    Bowl "bowl" &[(Main, "M1.500 11h21q0 8-6 10h-9q-6-2-6-10z"), (Shade, "M8 2q2 2 0 4t0 3.500H6.500q-1-2 .6-4T6.500 2zM13 2q2 2 0 4t0 3.500h-1.500q-1-2 .6-4T11.500 2zM18 2q2 2 0 4t0 3.500h-1.500q-1-2 .6-4T16.500 2z")];
    /// A thought or speech bubble.
    Thought "thought" &[(Main, "M12 2c6 0 10.500 3 10.500 7.500S18 17 12 17q-1.500 0-2.800-.2L4 21l.8-6C2.600 13.600 1.500 11.800 1.500 9.500 1.500 5 6 2 12 2z"), (White, "M6.500 8a1.600 1.600 0 1 0 .01 0zM12 8a1.600 1.600 0 1 0 .01 0zM17.500 8a1.600 1.600 0 1 0 .01 0z")];
    /// A pair of footprints, such as for visited places.
    Steps "steps" &[(Main, "M7 2c2.500 0 3.500 3 3.500 6 0 2-.5 3-.8 4.500H4.600C4 10.500 3.300 9 3.300 7 3.300 4 4.500 2 7 2zM4.800 14h4.600c.3 2.500-.5 4-2.300 4s-2.600-1.500-2.300-4zM17 6c2.500 0 3.700 2 3.700 5 0 2-.700 3.500-1.300 5.500h-5.100c-.3-1.500-.8-2.500-.8-4.500 0-3 1-6 3.500-6zM14.600 18h4.600c.3 2.500-.5 4-2.300 4s-2.600-1.500-2.300-4z")];
    /// An eye.
    EgocentricView "eye" &[(Main, "M12 4.500c5.500 0 9.500 4 11.500 7.500-2 3.500-6 7.500-11.500 7.500S2.500 15.500.5 12C2.500 8.500 6.500 4.500 12 4.500z"), (White, "M12 7.500a4.500 4.500 0 1 0 .01 0z"), (Shade, "M12 9.700a2.300 2.300 0 1 0 .01 0z")];
    /// A book.
    Book "book" &[(Main, "M1 4q6-2 10.300 1v16Q7 18 1 20zM23 4q-6-2-10.300 1v16Q17 18 23 20z")];
    /// An arrow up.
    Up "up" &[(Main, "M12 2l9.500 10.500H16V22H8v-9.500H2.500z")];
    /// An arrow down.
    Down "down" &[(Main, "M12 22L2.500 11.500H8V2h8v9.500h5.500z")];
    /// A cabin with closed doors.
    Cabin "cabin" &[(Main, "M3 1h18v22H3z"), (White, "M5.500 4h6v17h-6zM12.500 4h6v17h-6z")];
    /// A cabin with open doors.
    OpenCabin "open-cabin" &[(Main, "M3 1h18v22H3z"), (White, "M7 4h10v17H7z"), (Shade, "M5 4h2v17H5zM17 4h2v17h-2z")];
    /// A traffic light.
    Light "traffic-light" &[(Shade, "M7 1h10v22H7z"), (Main, "M12 3a3 3 0 1 0 .01 0zM12 9a3 3 0 1 0 .01 0zM12 15a3 3 0 1 0 .01 0z")];
    /// A skull, such as for destroyed things.
    Skull "skull" &[(Main, "M12 1.500c6 0 9.500 4 9.500 9 0 3-1.500 5-3.500 6v4h-2.500v2h-7v-2H6v-4c-2-1-3.500-3-3.500-6 0-5 3.500-9 9.500-9z"), (White, "M8 9a2.400 2.400 0 1 0 .01 0zM16 9a2.400 2.400 0 1 0 .01 0zM12 14l1.500 3h-3z")];
    /// A bomb with a fuse.
    Bomb "bomb" &[(Main, "M10.500 7a8 8 0 1 0 .01 0zM14 4l5 5-2 2-5-5z"), (Shade, "M17 5q2-4 5.500-3l-.5 1.700q-2-.4-3.600 2.400z")];
    /// A monkey's face.
    Monkey "monkey" &[(Main, "M12 2c4.500 0 7.200 2.700 7.700 6.200a3.300 3.300 0 0 1 .2 6.500C18.700 19.500 15.800 22 12 22s-6.700-2.500-7.900-7.300a3.300 3.300 0 0 1 .2-6.500C4.800 4.700 7.500 2 12 2z"), (White, "M12 12c3 0 5 1.500 5 4s-2 4.500-5 4.500S7 18.500 7 16s2-4 5-4zM9 7.500a1.700 1.700 0 1 0 .01 0zM15 7.500a1.700 1.700 0 1 0 .01 0z"), (Shade, "M9.500 16.500h5v1.200h-5z")];
    /// A bear's face.
    Bear "bear" &[(Main, "M5.500 2a4 4 0 0 1 3.600 2.200 9.600 9.600 0 0 1 5.800 0A4 4 0 1 1 20.500 9.200C21.500 11 22 12.500 22 14c0 5-4.500 8-10 8S2 19 2 14c0-1.500.5-3 1.500-4.800A4 4 0 0 1 5.500 2z"), (White, "M12 13c2.600 0 4.300 1.400 4.300 3.400S14.600 20 12 20s-4.300-1.600-4.300-3.600S9.400 13 12 13z"), (Shade, "M8.300 9a1.400 1.400 0 1 0 .01 0zM15.700 9a1.400 1.400 0 1 0 .01 0zM12 14a1.600 1.200 0 1 0 .01 0z")];
    /// A chess pawn.
    Pawn "pawn" &[(Main, "M12 1.500a4.700 4.700 0 0 1 3 8.300h2v2h-2.500c.3 3 1.500 5 4 7.200V22.500h-13V19c2.500-2.200 3.700-4.200 4-7.200H7v-2h2a4.700 4.700 0 0 1 3-8.300z")];
    /// A head with eyes, such as of a snake.
    Head "head" &[(Main, "M5 2h14q3 0 3 3v14q0 3-3 3H5q-3 0-3-3V5q0-3 3-3z"), (White, "M8 6a2.800 2.800 0 1 0 .01 0zM16 6a2.800 2.800 0 1 0 .01 0z"), (Shade, "M8 7.500a1.400 1.400 0 1 0 .01 0zM16 7.500a1.400 1.400 0 1 0 .01 0zM7 15h10v2H7z")];
    /// A battery.
    Battery "battery" &[(Main, "M2 6h18v12H2zM20.500 9.500H23v5h-2.500z"), (White, "M4 8h8v8H4z")];
    /// An open electrical switch.
    Switch "switch" &[(Main, "M1 11h6v2H1zM17 11h6v2h-6zM7.300 9.700l9-6.500 1.200 1.600-9 6.500z"), (Shade, "M7 10a2 2 0 1 0 .01 0zM17 10a2 2 0 1 0 .01 0z")];
    /// A closed electrical switch.
    ClosedSwitch "closed-switch" &[(Main, "M1 11h22v2H1z"), (Shade, "M7 10a2 2 0 1 0 .01 0zM17 10a2 2 0 1 0 .01 0z")];
}

impl Sprite {
    /// The figures that distinguish kinds of things without declared figures, in the order in which they are assigned.
    /// After the last, the first follows again.
    pub const SERIES: [Self; 6] = [
        Self::Disc,
        Self::Square,
        Self::Diamond,
        Self::Triangle,
        Self::Star,
        Self::Heart,
    ];
}
