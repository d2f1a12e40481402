"""
What each seat has, found by its number or by the name of its player.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex, TypeVar, overload

from rummyvariants.errors import seat_number


T_co = TypeVar("T_co", covariant=True)


class EachSeat(tuple[T_co, ...]):  # noqa: SLOT001 -- a tuple has none but empty ones
    """
    A tuple by seat that also knows the seats by the names of their players.

    Args:
        values: What each seat has.
        players: The names of the players, by seat.
    """

    _players: tuple[str, ...]

    def __new__(
        cls, values: Iterable[T_co], players: tuple[str, ...]
    ) -> EachSeat[T_co]:
        """
        Make the tuple; what it holds is not copied.
        """
        found = super().__new__(cls, values)
        found._players = players
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return EachSeat, (tuple(self), self._players)

    @overload
    def __getitem__(self, at: SupportsIndex | str) -> T_co: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, at: Any) -> Any:
        """
        What a seat has.

        Args:
            at: The number of the seat, or the name of its player; or a slice.

        Raises:
            RequestError: If no player has that name.
        """
        if isinstance(at, str):
            at = seat_number(at, self._players)
        return super().__getitem__(at)


def names_in(text: str) -> list[str]:
    """
    The names in a text, with commas between them, or else blanks.
    """
    parts = text.split(",") if "," in text else text.split()
    return [one.strip() for one in parts if one.strip()]
