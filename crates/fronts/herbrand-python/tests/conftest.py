"""Shared fixtures: small domains, and the corpus of traces of other systems if it is available."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
CORPUS = ROOT.parent / "shared" / "corpus"

LAMPS = """
(define (domain lamps)
  (:requirements :typing :probabilistic-effects :negative-preconditions)
  (:types lamp - object)
  (:predicates (on ?l - lamp) (broken ?l - lamp))
  (:action press :parameters (?l - lamp) :precondition (not (on ?l))
    :effect (probabilistic 3/4 (on ?l) 1/4 (broken ?l)))
  (:action drop :parameters (?l - lamp) :effect (broken ?l)))
"""
TWO_LAMPS = """
(define (problem two) (:domain lamps) (:objects a b - lamp) (:init (broken b)) (:goal (and (on a) (not (broken a)))))
"""


@pytest.fixture
def lamps() -> tuple[str, str]:
    """The texts of a probabilistic domain and a problem."""
    return LAMPS, TWO_LAMPS


@pytest.fixture
def corpus() -> Path:
    """The folder of recorded traces."""
    if not CORPUS.is_dir():
        pytest.skip("the corpus of recorded traces is not here")
    return CORPUS
