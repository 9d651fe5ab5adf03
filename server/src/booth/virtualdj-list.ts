import type { KitTrack } from './kit-track.ts'
import { element, xmlDocument } from './xml.ts'

/**
 * A list for the folder `MyLists` of VirtualDJ 2024 and later. Source: virtualdj.com/wiki, "Lists". Only the path is
 * required; VirtualDJ reads neither cues nor grids from it.
 */
export const virtualDjList = (tracks: readonly KitTrack[]): Buffer =>
  xmlDocument(
    element(
      'VirtualFolder',
      { noDuplicates: 'no', ordered: 'yes' },
      tracks.map((track, index) =>
        element('song', {
          path: track.path.absolute,
          size: track.bytes,
          artist: track.artist,
          title: track.title,
          remix: track.remixer || null,
          songlength: track.duration_seconds.toFixed(3),
          bpm: track.bpm === null ? null : track.bpm.toFixed(3),
          key: track.key_text || null,
          idx: index,
        }),
      ),
    ),
  )
