"""Which objects can be copied field by field."""

from __future__ import annotations

from types import GetSetDescriptorType


def is_plain_class(cls: type) -> bool:
    """Whether the state of an object of this class is its ``__dict__``, and the class does not customize copying or pickling.

    >>> class Board:
    ...     pass
    >>> is_plain_class(Board), is_plain_class(list)
    (True, False)
    """
    hooks = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
             "__getnewargs_ex__", "__new__")
    for base in cls.__mro__:
        if base is object or base.__module__ in ("abc", "typing"):
            continue
        if base.__flags__ & 1 << 9 == 0 or "__slots__" in vars(base) and vars(base)["__slots__"]:
            return False  # Not created by a class statement, or with fields outside __dict__.
        if any(name in vars(base) for name in hooks) or any(_has_setter(field) for field in vars(base).values()):
            return False
    return "__dict__" in dir(cls) or hasattr(cls, "__dict__")


def _has_setter(field: object) -> bool:
    """Whether assignment to this field runs a setter, instead of only storing the value."""
    if isinstance(field, GetSetDescriptorType) or isinstance(field, property) and field.fset is None:
        return False  # `__dict__` and `__weakref__`, or a read-only property.
    return hasattr(type(field), "__set__")
