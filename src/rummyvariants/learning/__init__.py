"""
Games in the form that learning programs need: actions and observations as numbers.
"""

from typing import TYPE_CHECKING, Final

from rummyvariants._support.lazy import offered


if TYPE_CHECKING:
    from rummyvariants.learning._fields import Axis as Axis
    from rummyvariants.learning._fields import Field as Field
    from rummyvariants.learning._fields import Measure as Measure
    from rummyvariants.learning._fields import ObservationError as ObservationError
    from rummyvariants.learning.encodings import Encoding as Encoding
    from rummyvariants.learning.encodings import EncodingError as EncodingError
    from rummyvariants.learning.encodings import Selection as Selection
    from rummyvariants.learning.encodings import encoding as encoding
    from rummyvariants.learning.observations import ObservationSpec as ObservationSpec
    from rummyvariants.learning.observations import observation as observation
    from rummyvariants.learning.observations import observation_spec as observation_spec


_OFFERED: Final = {
    "learning._fields": "Axis Field Measure ObservationError",
    "learning.encodings": "Encoding EncodingError Selection encoding",
    "learning.observations": "ObservationSpec observation observation_spec",
}
__getattr__, __dir__, _names = offered(__name__, _OFFERED)
if not TYPE_CHECKING:
    __all__ = list(_names)
