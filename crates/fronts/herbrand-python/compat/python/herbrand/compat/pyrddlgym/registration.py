"""The function `make`."""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any

from .core.compiler.model import RDDLLiftedModel
from .core.env import RDDLEnv

__all__ = ["make"]


def make(
    domain: str | os.PathLike[str] | RDDLLiftedModel,
    instance: str | int | os.PathLike[str] | None = None,
    base_class: type[RDDLEnv] = RDDLEnv,
    **env_kwargs: Any,
) -> RDDLEnv:
    """Creates an environment.

    Parameters
    ----------
    domain : str, path or RDDLLiftedModel
        The path of a domain file, the name of a bundled environment (``"rddl/elevators"``), the name of a problem of the
        package ``rddlrepository`` (if installed), or a model.
    instance : str, int, path or None
        The path of an instance file, or the name of an instance. None if the file `domain` has its own instance.
    base_class : type
        `RDDLEnv` or a subclass.
    **env_kwargs
        As for `RDDLEnv`.

    Raises
    ------
    ValueError
        If only one of `domain` and `instance` is a file.
    ImportError
        If the name needs ``rddlrepository``, which is not installed.
    """
    if isinstance(domain, RDDLLiftedModel) or str(domain).startswith("rddl/"):
        return base_class(domain, instance, **env_kwargs)
    if instance is None and os.path.isfile(domain):
        instance = domain
    files = os.path.isfile(domain), instance is not None and os.path.isfile(str(instance))
    if files[0] != files[1]:
        missing = [path for path, is_file in zip((domain, instance), files) if not is_file and str(path).endswith(".rddl")]
        if missing:
            raise ValueError(f"there is no file {missing[0]!r}")
        raise ValueError(f"domain and instance are both paths of files, or both names, not {domain!r} and {instance!r}")
    if all(files):
        for path in (domain, instance):
            if os.path.splitext(str(path))[1].lower() != ".rddl":
                raise ValueError(f"{path} does not end in .rddl")
        return base_class(domain, instance, **env_kwargs)
    if importlib.util.find_spec("rddlrepository") is None:
        raise ImportError(f"{domain!r} is neither a file nor a bundled environment; `pip install rddlrepository` adds more")
    manager = importlib.import_module("rddlrepository").RDDLRepoManager()
    problem = manager.get_problem(domain)
    env = base_class(problem.get_domain(), problem.get_instance(instance), **env_kwargs)
    # # The visualizers of rddlrepository are subclasses of pyRDDLGym's classes.
    if importlib.util.find_spec("pyRDDLGym") is not None and (viz := problem.get_visualizer()) is not None:
        env.set_visualizer(viz)
    return env
