import type { AudioFormat } from '../audio-files/faults.ts'
import type { GridAnchor, KitCue, KitPlaylist, KitTrack } from './kit-track.ts'
import { element, xmlDocument } from './xml.ts'

/** rekordbox has no kind for Ogg files, which it does not play. */
const KINDS: Record<AudioFormat, string> = {
  mp3: 'MP3 File',
  wav: 'WAV File',
  flac: 'FLAC File',
  aiff: 'AIFF File',
  m4a: 'M4A File',
  ogg: 'Ogg File',
  opus: 'Ogg File',
}

/** The steps of one star each. */
const RATING_STEP = 51

/**
 * `dubplate.xml` for rekordbox's "Imported Library". Source: the fields that pyrekordbox documents from Pioneer's
 * xml_format_list.pdf. rekordbox ignores the values of tracks it already has, so grid and cues must be right at the first
 * import.
 */
export function rekordboxXml(tracks: readonly KitTrack[], playlists: readonly KitPlaylist[], version: string): Buffer {
  return xmlDocument(
    element('DJ_PLAYLISTS', { Version: '1.0.0' }, [
      element('PRODUCT', { Name: 'Dubplate', Version: version, Company: 'Dubplate' }),
      element('COLLECTION', { Entries: tracks.length }, tracks.map(trackElement)),
      element('PLAYLISTS', {}, [
        element('NODE', { Type: 0, Name: 'ROOT', Count: playlists.length }, playlists.map(playlistElement)),
      ]),
    ]),
  )
}

const trackElement = (track: KitTrack, index: number) =>
  element(
    'TRACK',
    {
      TrackID: index + 1,
      Name: track.title,
      Artist: track.artist,
      Composer: '',
      Album: track.album,
      Grouping: '',
      Genre: track.genre,
      Kind: KINDS[track.format],
      Size: track.bytes,
      TotalTime: Math.round(track.duration_seconds),
      DiscNumber: 0,
      TrackNumber: 0,
      Year: track.year ?? 0,
      AverageBpm: track.bpm === null ? '0.00' : track.bpm.toFixed(2),
      DateAdded: track.added_at.toISOString().slice(0, 10),
      BitRate: Math.round(track.bit_rate / 1000),
      SampleRate: track.sample_rate,
      Comments: track.comment,
      PlayCount: 0,
      Rating: track.rating * RATING_STEP,
      Location: locationOf(track.path.absolute),
      Remixer: track.remixer,
      Tonality: track.key_text,
      Label: track.label,
      Mix: track.version_label,
      Colour: track.colour && `0x${track.colour.slice(1).toUpperCase()}`,
    },
    [...track.grid.map(tempoElement), ...track.cues.map(cueElement)],
  )

const tempoElement = ({ seconds, bpm, beat }: GridAnchor) =>
  element('TEMPO', { Inizio: seconds.toFixed(3), Bpm: bpm.toFixed(2), Metro: '4/4', Battito: beat })

function cueElement({ name, seconds, number, colour }: KitCue): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return element('POSITION_MARK', {
    Name: name,
    Type: 0,
    Start: seconds.toFixed(3),
    Num: number,
    Red: red,
    Green: green,
    Blue: blue,
  })
}

const playlistElement = ({ name, tracks }: KitPlaylist) =>
  element(
    'NODE',
    { Name: name, Type: 1, KeyType: 0, Entries: tracks.length },
    tracks.map((index) => element('TRACK', { Key: index + 1 })),
  )

/** 'file://localhost/C:/Music/Night%20Bus.mp3'. Everything but separators and the drive's colon is escaped. */
function locationOf(absolute: string): string {
  const parts = absolute.replaceAll('\\', '/').replace(/^\//, '').split('/')
  return `file://localhost/${parts.map(escapePart).join('/')}`
}

function escapePart(part: string, index: number): string {
  if (index === 0 && /^[A-Za-z]:$/.test(part)) return part
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
