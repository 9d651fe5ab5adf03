"""Prints what mutagen reads from MP3 and FLAC files, as a JSON list in the order of the files.

Usage: file-tags.py < LIST, a JSON list of paths. Without mutagen it fails.

texts: {name: text}. objects: {description: data in base64}, from GEOB frames. comments: {name: value} of Serato's Vorbis
comments, which contain the same objects.
"""

import base64
import json
import sys

from mutagen.flac import FLAC
from mutagen.id3 import ID3

VORBIS = {
    "TIT2": "title",
    "TPE1": "artist",
    "TALB": "album",
    "TCON": "genre",
    "TPE4": "remixer",
    "TPUB": "label",
    "TSRC": "isrc",
    "TKEY": "initialkey",
    "TBPM": "bpm",
    "TDRC": "date",
    "COMM::eng": "comment",
    "TXXX:EnergyLevel": "energylevel",
}


def read_mp3(path):
    tags = ID3(path)
    texts = {name: str(frame.text[0]) for name, frame in tags.items() if hasattr(frame, "text")}
    objects = {}
    for frame in tags.getall("GEOB"):
        if frame.mime != "application/octet-stream" or frame.filename != "":
            raise ValueError(f"{path}: {frame.mime} {frame.filename}")
        objects[frame.desc] = base64.b64encode(frame.data).decode()
    return {"texts": texts, "objects": objects, "comments": {}}


def read_flac(path):
    tags = FLAC(path)
    texts = {frame: tags[name][0] for frame, name in VORBIS.items() if name in tags}
    comments = {name: value for name, value in tags.tags if name.startswith("SERATO_")}
    return {"texts": texts, "objects": {}, "comments": comments}


files = json.load(sys.stdin)
json.dump([read_mp3(path) if path.endswith(".mp3") else read_flac(path) for path in files], sys.stdout)
