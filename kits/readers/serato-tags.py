"""Prints what the scripts of Holzhaus/serato-tags read from Serato's objects, as a JSON list in their order.

Usage: serato-tags.py SOURCE < LIST. SOURCE is a checkout of serato-tags, LIST a JSON list of {description: data in base64}.
"""

import base64
import importlib
import io
import json
import sys

sys.path.insert(0, sys.argv[1] + "/scripts")
autotags, beatgrid, markers, markers2 = [
    importlib.import_module("serato_" + name) for name in ("autotags", "beatgrid", "markers_", "markers2")
]


def colour(data):
    return "#" + bytes(data).hex().upper()


def read(objects):
    data = {name: base64.b64decode(value) for name, value in objects.items()}
    *anchors, _ = beatgrid.parse(io.BytesIO(data["Serato BeatGrid"]))
    old = list(markers.parse(io.BytesIO(data["Serato Markers_"]))) if "Serato Markers_" in data else []
    new = list(markers2.parse(data["Serato Markers2"]))
    return {
        "bpm": float(next(iter(autotags.parse(io.BytesIO(data["Serato Autotags"]))))),
        "anchors": [{"seconds": anchor[0], "value": anchor[1]} for anchor in anchors],
        "cues": [
            {"number": entry.index, "milliseconds": entry.position, "colour": colour(entry.color), "name": entry.name}
            for entry in new
            if entry.NAME == "CUE"
        ],
        "track_colour": next(colour(entry.color) for entry in new if entry.NAME == "COLOR"),
        "is_locked": next(entry.enabled for entry in new if entry.NAME == "BPMLOCK"),
        "old_cues": [
            {"number": number, "milliseconds": entry.start_position, "colour": colour(entry.color), "type": int(entry.type)}
            for number, entry in enumerate(old[:-1])
        ],
    }


json.dump([read(objects) for objects in json.load(sys.stdin)], sys.stdout)
