"""The sound of a machine, as the checks see it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.ports import Microphone, Speaker


class SoundDevice(Protocol):
    """One direction of a sound device."""

    @property
    def number(self) -> int:
        """As the system counts."""
        ...

    @property
    def name(self) -> str:
        """What the system calls it."""
        ...

    @property
    def kind(self) -> Literal["input", "output"]:
        """Whether it listens or plays."""
        ...

    @property
    def channels(self) -> int:
        """The most it takes or gives."""
        ...

    @property
    def rate_hz(self) -> int:
        """The rate it runs at."""
        ...

    @property
    def default(self) -> bool:
        """Whether the system takes it when none is named."""
        ...


@dataclass(frozen=True)
class Card:
    """The sound of this machine, as it is to be used.

    Attributes:
        input_device: Name or number of the microphone; None for the system's. `output_device`:
            of the loudspeaker.
    """

    devices: Callable[[], Sequence[SoundDevice]]
    microphone: Callable[[], Microphone]
    speaker: Callable[[], Speaker]
    input_device: str | None = None
    output_device: str | None = None
