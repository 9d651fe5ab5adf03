"""Prints the tags that mutagen or TagLib (python3-taglib) reads from files, as a JSON list in the order of the files.

Usage: tag-readers.py mutagen|taglib [FILE...]. Without files it only checks that the library is installed.
"""

import base64
import hashlib
import json
import sys


def first(values):
    if values is None or (isinstance(values, list) and not values):
        return None
    value = values[0] if isinstance(values, list) else values
    return value.decode() if isinstance(value, bytes) else str(value)


def found(title, artist, bpm, key, pictures):
    art = [hashlib.sha256(bytes(picture)).hexdigest() for picture in pictures]
    return {"title": first(title), "artist": first(artist), "bpm": first(bpm), "key": first(key), "art": first(art)}


def read_with_mutagen(path):
    import mutagen
    from mutagen.flac import FLAC, Picture
    from mutagen.mp4 import MP4

    file = mutagen.File(path)
    tags = file.tags
    if isinstance(file, MP4):
        free = "----:com.apple.iTunes:"
        bpm = tags.get(free + "BPM") or tags.get("tmpo")
        key = tags.get(free + "initialkey")
        return found(tags.get("\xa9nam"), tags.get("\xa9ART"), bpm, key, tags.get("covr", []))
    if hasattr(tags, "getall"):
        texts = [next((frame.text for frame in tags.getall(name)), None) for name in ("TIT2", "TPE1", "TBPM", "TKEY")]
        return found(*texts, [frame.data for frame in tags.getall("APIC")])
    if isinstance(file, FLAC):
        pictures = file.pictures
    else:
        pictures = [Picture(base64.b64decode(text)) for text in tags.get("metadata_block_picture", [])]
    texts = [tags.get(name) for name in ("title", "artist", "bpm", "initialkey")]
    return found(*texts, [picture.data for picture in pictures])


def read_with_taglib(path):
    import taglib

    tags = taglib.File(path).tags
    return found(*[tags.get(name) for name in ("TITLE", "ARTIST", "BPM", "INITIALKEY")], [])


if __name__ == "__main__":
    name, *paths = sys.argv[1:]
    __import__(name)
    read = read_with_mutagen if name == "mutagen" else read_with_taglib
    print(json.dumps([read(path) for path in paths]))
