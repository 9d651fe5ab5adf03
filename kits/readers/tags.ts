import path from 'node:path'
import type { Comparisons } from '../comparisons.ts'
import { commentOf, cuesOf, genreOf, gridOf, infoFrame, type Kit, keyOf, titleOf } from '../expected.ts'
import { run } from '../make-audio.ts'
import { type KitSong, SONG_SECONDS } from '../songs.ts'
import { decodeComment, type SeratoObjects, type SeratoTags } from './serato.ts'

/** What mutagen finds in a file. Texts have the names of ID3 frames, also in FLAC. */
export type FileTags = { texts: Record<string, string>; objects: SeratoObjects }

type MutagenFile = { texts: Record<string, string>; objects: Record<string, string>; comments: Record<string, string> }

const COMMENTS = ['SERATO_AUTOGAIN', 'SERATO_BEATGRID', 'SERATO_MARKERS_V2']

export function readWithMutagen({ paths }: Kit): FileTags[] {
  const script = path.join(import.meta.dirname, 'file-tags.py')
  const files: MutagenFile[] = JSON.parse(run('/usr/bin/python3', [script], JSON.stringify(paths)))
  return files.map(({ texts, objects, comments }) => {
    const decoded = Object.entries(objects).map(([name, data]): [string, Buffer] => [name, Buffer.from(data, 'base64')])
    const fromComments = Object.entries(comments).map(([name, value]) => {
      if (!COMMENTS.includes(name)) throw new Error(`Serato reads no comment ${name}.`)
      return decodeComment(value)
    })
    return { texts, objects: Object.fromEntries([...decoded, ...fromComments]) }
  })
}

export function compareTexts(kit: Kit, files: readonly FileTags[], { same, close }: Comparisons): void {
  for (const [n, song] of kit.songs.entries()) {
    const { texts, objects } = files[n]!
    const text = (name: string) => texts[name] ?? ''
    const at = `song ${song.number}`
    same(`${at} TSRC`, text('TSRC'), song.isrc)
    same(`${at} TIT2`, text('TIT2'), titleOf(song))
    same(`${at} TPE1`, text('TPE1'), song.artist)
    same(`${at} TALB`, text('TALB'), song.album)
    same(`${at} TCON`, text('TCON'), genreOf(song))
    same(`${at} TPE4`, text('TPE4'), song.remixer)
    same(`${at} TPUB`, text('TPUB'), song.label)
    same(`${at} TKEY`, text('TKEY'), keyOf(song, kit.profile))
    same(`${at} COMM`, text('COMM::eng'), commentOf(song))
    same(`${at} TDRC`, text('TDRC'), song.year === null ? '' : String(song.year))
    same(`${at} EnergyLevel`, text('TXXX:EnergyLevel'), String(song.energy))
    close(`${at} TBPM`, text('TBPM'), song.bpm, 0.0051)
    const names = ['Autotags', 'BeatGrid', ...(song.sound === 'flac' ? [] : ['Markers_']), 'Markers2']
    same(`${at} objects`, Object.keys(objects).join(), names.map((name) => `Serato ${name}`).join())
  }
}

/** Single precision of a time within the song. */
const GRID_SECONDS = SONG_SECONDS * 2 ** -22
const OLD_CUES = 5
const OLD_LOOPS = 9

/** Compares Serato's tags of all files, as one of the readers sees them. */
export function compareSerato({ songs }: Kit, files: readonly SeratoTags[], comparisons: Comparisons): void {
  for (const [n, song] of songs.entries()) {
    const { same, close } = comparisons
    const { bpm, anchors, cues, track_colour, is_locked, old_cues } = files[n]!
    const at = `song ${song.number}`
    close(`${at} Autotags`, bpm, song.bpm, 0.0051)
    const grid = gridOf(song)
    same(`${at} number of anchors`, anchors.length, grid.length)
    for (const [i, anchor] of grid.entries()) {
      close(`${at} anchor ${i}`, anchors[i]?.seconds, anchor.seconds + infoFrame(song), GRID_SECONDS)
      close(`${at} anchor ${i} value`, anchors[i]?.value, beatsToNext(song, i) ?? anchor.bpm, 0.0001)
    }
    const expected = cuesOf(song)
    same(`${at} number of cues`, cues.length, expected.length)
    for (const [i, { seconds, name, colour, number }] of expected.entries()) {
      close(`${at} cue ${i}`, cues[i]?.milliseconds, (seconds + infoFrame(song)) * 1000, 0.51)
      same(`${at} cue ${i} name`, cues[i]?.name, name)
      same(`${at} cue ${i} colour`, cues[i]?.colour, colour)
      same(`${at} cue ${i} number`, cues[i]?.number, number)
    }
    same(`${at} track colour`, track_colour, '#FFFFFF')
    same(`${at} lock`, is_locked, true)
    compareOldCues(song, old_cues, comparisons)
  }
}

/** Undefined after the last change of tempo. */
function beatsToNext({ rhythm: { tempos } }: KitSong, i: number): number | undefined {
  const next = tempos[i + 1]
  return next && next.from_beat - tempos[i]!.from_beat
}

function compareOldCues(song: KitSong, oldCues: SeratoTags['old_cues'], { same, close }: Comparisons): void {
  const at = `song ${song.number}`
  same(`${at} old entries`, oldCues.length, song.sound === 'flac' ? 0 : OLD_CUES + OLD_LOOPS)
  const cues = cuesOf(song)
  for (const { number, milliseconds, colour, type } of oldCues) {
    const cue = number < OLD_CUES ? cues[number] : undefined
    const where = `${at} old entry ${number}`
    same(`${where} type`, type, number >= OLD_CUES ? 3 : cue ? 1 : 0)
    if (cue) close(where, milliseconds, (cue.seconds + infoFrame(song)) * 1000, 0.51)
    else same(where, milliseconds, null)
    same(`${where} colour`, colour, cue?.colour ?? '#000000')
  }
}
