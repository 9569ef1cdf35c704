"""The styles the composer knows, as data."""

from .ballroom import STYLES as _ballroom
from .classical import STYLES as _classical
from .dance import STYLES as _dance
from .jazz_latin import STYLES as _jazz_latin
from .odd import STYLES as _odd
from .pop import STYLES as _pop

STYLES = _pop + _dance + _jazz_latin + _ballroom + _classical + _odd
