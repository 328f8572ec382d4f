//! Newspapers: deliver papers to some of the houses. Each of them reads one title.

use crate::vocabulary::{Dice, Draft, Graph, Traveller, named, numbered};

struct Town {
    /// The places. The press house comes first.
    places: Vec<String>,
    streets: Graph,
    titles: Vec<String>,
    /// The places that expect a paper, each with the title.
    readers: Vec<(usize, usize)>,
    /// The title of each paper. The first papers are for the readers, in order.
    papers: Vec<usize>,
    start: usize,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let town = Town::draw(size, dice);
    let mut draft = Draft::default();
    town.describe(&mut draft);
    town.deliver(&mut draft);
    Some(draft)
}

impl Town {
    fn draw(size: usize, dice: &mut Dice) -> Self {
        let houses = size + dice.between(0, size.div_ceil(2));
        let titles = named(
            &["herald", "courier", "gazette", "tribune", "echo"],
            "title",
            1 + size / 5,
        );
        let reading = dice.sample(&(1..=houses).collect::<Vec<_>>(), size);
        let readers: Vec<_> = reading
            .into_iter()
            .map(|house| (house, dice.below(titles.len())))
            .collect();
        let mut papers: Vec<usize> = readers.iter().map(|&(_, title)| title).collect();
        papers.extend((0..dice.between(0, size / 3)).map(|_| dice.below(titles.len())));
        Self {
            places: [vec!["press-house".to_owned()], numbered("house", houses)].concat(),
            streets: Graph::connected(houses + 1, houses / 2, dice),
            titles,
            readers,
            papers,
            start: dice.below(houses + 1),
        }
    }

    fn describe(&self, draft: &mut Draft) {
        draft.note(format!(
            "Places: {}; readers: {}; titles: {}; papers: {}.",
            self.places.len(),
            self.readers.len(),
            self.titles.len(),
            self.papers.len()
        ));
        draft.objects("place", &self.places);
        draft.objects("paper", numbered("paper", self.papers.len()));
        draft.objects("title", &self.titles);
        draft.fact(format!("at {}", self.places[self.start]));
        draft.fact("press press-house");
        for (paper, &title) in (1..).zip(&self.papers) {
            let issue = format!("issue paper-{paper} {}", self.titles[title]);
            draft.facts([format!("stacked paper-{paper}"), issue]);
        }
        for &(place, title) in &self.readers {
            let (place, title) = (&self.places[place], &self.titles[title]);
            draft.facts([format!("waiting {place}"), format!("reads {place} {title}")]);
            draft.goal(format!("satisfied {place}"));
        }
        draft.rows(self.streets.facts("street", &self.places));
    }

    /// Fetches all papers, then goes from reader to reader.
    fn deliver(&self, draft: &mut Draft) {
        let mut carrier = Traveller::new("move", &self.streets, &self.places, self.start);
        carrier.go(0, draft);
        for paper in 1..=self.readers.len() {
            draft.step(format!("pick-up paper-{paper} press-house"));
        }
        for (paper, &(place, title)) in (1..).zip(&self.readers) {
            carrier.go(place, draft);
            draft.step(format!(
                "deliver paper-{paper} {} {}",
                self.titles[title], self.places[place]
            ));
        }
    }
}
