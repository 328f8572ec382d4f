"""Types, and typed entities: objects and variables."""

from __future__ import annotations

from typing import Any

__all__ = ["NULLTYPE", "Type", "TypedEntity"]


class Type(str):
    """A type: a string that creates objects and variables when it is called.

    Examples
    --------
    >>> block = Type("block")
    >>> block("a")
    a:block
    """

    is_continuous = False

    def __call__(self, entity_name: str) -> TypedEntity:
        return TypedEntity(entity_name, self)


NULLTYPE = Type("null")


class TypedEntity(str):
    """An object, or a variable such as ``?x``.

    As a string it equals its name, and is compared by it. ``str()`` of it is ``name:type``, which determines its hash.

    Parameters
    ----------
    name : str
    var_type : Type
    """

    name: str
    var_type: Type
    is_continuous: bool
    _str: str

    def __new__(cls, name: str, var_type: Type) -> TypedEntity:
        if not isinstance(var_type, Type):
            raise TypeError(f"the type of {name!r} is a Type, not {var_type!r}")
        entity = str.__new__(cls, name)
        entity.name = str.__str__(name)
        entity.var_type = var_type
        entity.is_continuous = False
        entity._str = f"{entity.name}:{str.__str__(var_type)}"
        return entity

    def __str__(self) -> str:
        return self._str

    def __repr__(self) -> str:
        return self._str

    def __hash__(self) -> int:
        return hash(self._str)

    # Written out, since a class that defines its hash does not inherit equality.
    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return str.__ne__(self, other)

    def __add__(self, other: object) -> str:
        return self._str + str(other)

    def __radd__(self, other: object) -> str:
        return str(other) + self._str

    def __copy__(self) -> TypedEntity:
        return self

    def __deepcopy__(self, memo: Any) -> TypedEntity:
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, Type], dict[str, Any]]:
        return (self.name, self.var_type), {}
