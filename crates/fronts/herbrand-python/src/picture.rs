//! Pictures of states, as SVG text and as arrays.

use std::sync::OnceLock;
use std::time::Duration;

use herbrand_env::{Config, ShowFacts, Source, StatePicture};
use herbrand_render::{Animation, Declaration, Image, ImageError, Moment, Scene, Theme, WebPAnimation};
use herbrand_text::counted;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::choice::one_of;
use crate::domain::Domain;
use crate::errors::{IntoException, OrRaise, guarded};
use crate::page::escaped;
use crate::problem::Problem;

impl IntoException for ImageError {
    fn exception(&self, _py: Python<'_>) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

/// Parses the name of a colour theme.
pub fn theme(name: &str) -> PyResult<Theme> {
    let themes = [
        ("light", Theme::Light),
        ("dark", Theme::Dark),
        ("auto", Theme::Auto),
    ];
    one_of("theme", name, &themes)
}

/// Converts a scene to pixels: an array of uint8, (height, width, 3). The default size is that of the scene.
pub fn pixels<'py>(
    py: Python<'py>,
    scene: &Scene,
    theme: Theme,
    size: Option<(u32, u32)>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let image = guarded(py, || match size {
        Some((height, width)) => scene.to_image_within(theme, width, height),
        None => scene.to_image(theme, 1.0),
    })?;
    array(py, image.or_raise(py)?)
}

fn array(py: Python<'_>, image: Image) -> PyResult<Bound<'_, PyArray3<u8>>> {
    let (height, width) = (image.height() as usize, image.width() as usize);
    PyArray1::from_vec(py, image.into_pixels()).reshape([height, width, 3])
}

/// The drawing of the states of a PDDL task. The layout is computed on first use.
pub struct StateDrawing {
    declaration: Option<Declaration>,
    /// The text of the settings.
    settings: Option<String>,
    title: String,
    made: OnceLock<StatePicture>,
}

impl StateDrawing {
    const fn new(declaration: Option<Declaration>, settings: Option<String>, title: String) -> Self {
        Self {
            declaration,
            settings,
            title,
            made: OnceLock::new(),
        }
    }

    /// Creates the portrait of a problem of a suite; `settings` is the text of the suite's settings.
    pub fn of(suite: &herbrand_env::Suite, settings: Option<&str>, index: usize) -> Self {
        let name = suite.full_problem_name(index).unwrap_or_default();
        let title = format!("{} {name}", suite.name());
        Self::new(suite.config().render.clone(), settings.map(str::to_owned), title)
    }

    /// Creates the portrait of a single problem, drawn by the settings or by a generic layout. The default title is the
    /// names of domain and problem.
    pub fn of_problem(
        py: Python<'_>,
        domain: &Domain,
        problem: &Problem,
        settings: Option<&str>,
        title: Option<String>,
    ) -> PyResult<Self> {
        let title = title.unwrap_or_else(|| format!("{} {}", domain.model.name, problem.model.name));
        let Some(text) = settings else {
            return Ok(Self::new(None, None, title));
        };
        let source = Source::new("settings", text);
        let config = Config::parse(&source).or_raise(py)?;
        config.check_picture(&domain.model, &source).or_raise(py)?;
        Ok(Self::new(config.render, Some(text.to_owned()), title))
    }

    /// Returns the text of the settings that define how states are drawn.
    pub fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    /// Returns the title of pictures.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the picture of the agent's surroundings.
    fn egocentric(picture: &StatePicture, moment: &Moment) -> PyResult<Scene> {
        picture.picture().egocentric(moment).ok_or_else(|| {
            PyValueError::new_err(
                "the domain's settings do not say what is around the agent: `[render]` has no `eye`",
            )
        })
    }

    /// Returns the picture of a state, given by its facts, or of the agent's surroundings. `reached` is whether the goal is
    /// true.
    pub fn scene(
        &self,
        egocentric: bool,
        domain: &herbrand_pddl::Domain,
        problem: &herbrand_pddl::Problem,
        reached: bool,
        show: &ShowFacts<'_>,
    ) -> PyResult<Scene> {
        let picture = self.made.get_or_init(|| {
            let declaration = self.declaration.as_ref();
            StatePicture::new(declaration, domain, problem.clone(), self.title.clone(), show)
        });
        let moment = picture.with_goal(Moment::of_facts(show), reached);
        if egocentric {
            return Self::egocentric(picture, &moment);
        }
        Ok(picture.scene_of(&moment))
    }
}

/// Returns the notebook view of a suite: its name, the number of problems, and the initial state of the first one.
pub fn summary(name: &str, problems: usize, first: Option<&Scene>) -> String {
    let picture = first.map(|scene| scene.to_svg(Theme::Auto)).unwrap_or_default();
    format!(
        "<p><b>{}</b>, {}</p>\n{picture}",
        escaped(name),
        counted(problems, "problem")
    )
}

/// Encodes pictures, arrays of uint8 of shape (height, width, 3), as an animated WebP or GIF with the size of the largest.
/// Each is shown for `milliseconds`.
#[pyfunction]
pub fn encode_animation<'py>(
    py: Python<'py>,
    frames: Vec<PyReadonlyArray3<'py, u8>>,
    milliseconds: u64,
    webp: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let images = frames.iter().map(|frame| {
        let (height, width, channels) = frame.as_array().dim();
        if channels != 3 {
            let message = format!(
                "a frame has the shape (height, width, 3), not {:?}",
                frame.shape()
            );
            return Err(PyValueError::new_err(message));
        }
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let pixels = frame.as_array().iter().copied().collect();
        Image::from_pixels(side(width), side(height), pixels).or_raise(py)
    });
    let images = images.collect::<PyResult<Vec<_>>>()?;
    let bytes = guarded(py, || encoded(&images, Duration::from_millis(milliseconds), webp))?;
    Ok(PyBytes::new(py, &bytes.or_raise(py)?))
}

fn encoded(images: &[Image], time: Duration, webp: bool) -> Result<Vec<u8>, ImageError> {
    let width = images.iter().map(Image::width).max().unwrap_or(0);
    let height = images.iter().map(Image::height).max().unwrap_or(0);
    if webp {
        let mut film = WebPAnimation::new(width, height)?;
        images.iter().try_for_each(|image| film.add(image, time))?;
        return film.finish();
    }
    let mut film = Animation::new(Vec::new(), width, height)?;
    images.iter().try_for_each(|image| film.add(image, time))?;
    film.finish()
}
