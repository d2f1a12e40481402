"""
Games, positions and scenarios as files, and as JSON.
"""

from typing import TYPE_CHECKING, Final

from rummyvariants._support.lazy import offered


if TYPE_CHECKING:
    from rummyvariants.files._records import Record as Record
    from rummyvariants.files._records import RecordFile as RecordFile
    from rummyvariants.files._records import ReplayError as ReplayError
    from rummyvariants.files._records import load_record as load_record
    from rummyvariants.files._records import replay_steps as replay_steps
    from rummyvariants.files._scenarios import Outcome as Outcome
    from rummyvariants.files._scenarios import Scenario as Scenario
    from rummyvariants.files._scenarios import load_scenario as load_scenario
    from rummyvariants.files._scenarios import parse_scenario as parse_scenario
    from rummyvariants.files._scenarios import run as run
    from rummyvariants.files._scenarios import scenario_text as scenario_text
    from rummyvariants.files.json import from_json as from_json
    from rummyvariants.files.json import to_json as to_json


_OFFERED: Final = {
    "files._records": "Record RecordFile ReplayError load_record replay_steps",
    "files._scenarios": (
        "Outcome Scenario load_scenario parse_scenario run scenario_text"
    ),
    "files.json": "from_json to_json",
}
__getattr__, __dir__, _names = offered(__name__, _OFFERED)
if not TYPE_CHECKING:
    __all__ = list(_names)
