"""Prints what pyrekordbox's own reader of rekordbox XML finds in a file, as JSON.

Usage: pyrekordbox.py SOURCE FILE. SOURCE is a checkout of dylanljones/pyrekordbox. Only its rbxml.py is loaded: the whole
package needs a library for encryption, and cElementTree, which Python 3.9 removed.
"""

import importlib.util
import json
import sys
import types
import xml.etree.ElementTree as ElementTree

source, file = sys.argv[1:]


class bidict(dict):
    @property
    def inverse(self):
        return {value: key for key, value in self.items()}

    inv = inverse


package = types.ModuleType("pyrekordbox")
package.__path__ = [source + "/pyrekordbox"]
sys.modules["xml.etree.cElementTree"] = ElementTree
sys.modules["bidict"] = types.SimpleNamespace(bidict=bidict)
sys.modules["pyrekordbox"] = package
sys.modules["pyrekordbox.utils"] = types.SimpleNamespace(pretty_xml=lambda *args, **options: "")
spec = importlib.util.spec_from_file_location("pyrekordbox.rbxml", source + "/pyrekordbox/rbxml.py")
rbxml = importlib.util.module_from_spec(spec)
sys.modules["pyrekordbox.rbxml"] = rbxml
spec.loader.exec_module(rbxml)


def values(element):
    return {name: element.get(name) for name in element.ATTRIBS}


xml = rbxml.RekordboxXml(file)
tracks = []
for track in xml.get_tracks():
    # On macOS and Linux, pyrekordbox removes the first slash of a path with "file://localhost/".
    location = "/" + track.get("Location")
    tempos, marks = [values(tempo) for tempo in track.tempos], [values(mark) for mark in track.marks]
    tracks.append({**values(track), "Location": location, "tempos": tempos, "marks": marks})
lists = [{"name": node.name, "keys": node.get_tracks()} for node in xml.get_playlist().get_playlists()]
json.dump({"tracks": tracks, "lists": lists}, sys.stdout, default=str)
