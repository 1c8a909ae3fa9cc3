"""`viva list devices`: microphones and loudspeakers, as `--input-device` takes them."""

import sys

from agent.app.commands.listing import Row, show
from agent.app.probes import sound_devices
from agent.app.reader import reader_language
from agent.domain.language import LocalizedText

NONE = LocalizedText(en="This machine has no sound device.", zh="这台电脑没有声音设备。")


def run(as_json: bool) -> None:
    """Print a line for each direction of each device."""
    rows: list[Row] = [
        {
            "number": device.number,
            "kind": device.kind,
            "name": device.name,
            "channels": device.channels,
            "rate_hz": device.rate_hz,
            "default": device.default,
        }
        for device in sound_devices()
    ]
    if not rows:
        print(NONE.get(reader_language()), file=sys.stderr)
    if not as_json:
        for row in rows:
            row["rate_hz"] = f"{row['rate_hz']} Hz"
            row["default"] = "default" if row["default"] else ""
    show(rows, as_json)
