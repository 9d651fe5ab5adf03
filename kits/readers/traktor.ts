import type { Comparisons } from '../comparisons.ts'
import {
  bytesOf,
  commentOf,
  cuesOf,
  firstDownbeat,
  genreOf,
  infoFrame,
  type Kit,
  keyNumber,
  keyOf,
  starsOf,
  textFile,
  titleOf,
} from '../expected.ts'
import { MP3_BITRATE } from '../make-audio.ts'
import { PLAYLIST_TITLE } from '../pool.ts'
import { SONG_SECONDS } from '../songs.ts'
import { parseXml } from './xml.ts'

/** Six decimals of a millisecond are written; the database has the tempo and the first downbeat in single precision. */
const MICROSECOND = 0.001
const SINGLE_PRECISION = 0.0002

/** Compares Traktor's collection, as fast-xml-parser reads it. */
export function compareTraktor(kit: Kit, kind: 'traktor' | 'traktor4', { same, close }: Comparisons): void {
  const { COLLECTION, PLAYLISTS, ...nml } = parseXml(textFile(kit, kind, /\.nml$/)).NML
  same('VERSION', nml.VERSION, '19')
  same('INDEXING', 'INDEXING' in nml, true)
  same('number of entries', COLLECTION.ENTRIES, String(kit.songs.length))
  const keys: string[] = []
  for (const [n, song] of kit.songs.entries()) {
    const { LOCATION, INFO, ...entry } = COLLECTION.ENTRY[n]
    const at = `song ${song.number}`
    keys.push(`${LOCATION.VOLUME}${LOCATION.DIR}${LOCATION.FILE}`)
    same(`${at} LOCATION`, keys[n]!.replaceAll('/:', '/'), kit.paths[n])
    same(`${at} TITLE`, entry.TITLE, titleOf(song))
    same(`${at} ARTIST`, entry.ARTIST, song.artist)
    same(`${at} ALBUM`, entry.ALBUM.TITLE, song.album)
    same(`${at} GENRE`, INFO.GENRE, genreOf(song))
    same(`${at} COMMENT`, INFO.COMMENT, commentOf(song))
    same(`${at} LABEL`, INFO.LABEL ?? '', song.label)
    same(`${at} REMIXER`, INFO.REMIXER ?? '', song.remixer)
    same(`${at} MIX`, INFO.MIX, song.version_label)
    same(`${at} KEY`, INFO.KEY, keyOf(song, kit.profile))
    same(`${at} MUSICAL_KEY`, entry.MUSICAL_KEY.VALUE, String(keyNumber(song.song_key)))
    same(`${at} RANKING`, INFO.RANKING, String(51 * starsOf(song)))
    same(`${at} RELEASE_DATE`, INFO.RELEASE_DATE, song.year === null ? undefined : `${song.year}/1/1`)
    same(`${at} IMPORT_DATE`, INFO.IMPORT_DATE, '2026/11/20')
    same(`${at} PLAYTIME`, INFO.PLAYTIME, String(SONG_SECONDS))
    close(`${at} FILESIZE`, INFO.FILESIZE, bytesOf(kit, kind, n) / 1024, 0.5)
    if (song.sound !== 'flac') same(`${at} BITRATE`, INFO.BITRATE, String(MP3_BITRATE * 1000))
    close(`${at} BPM`, entry.TEMPO[0].BPM, song.bpm, MICROSECOND)
    const [marker, ...cues] = entry.CUE_V2
    same(`${at} grid`, `${marker.TYPE} ${marker.HOTCUE}`, '4 -1')
    close(`${at} grid START`, marker.START, (firstDownbeat(song) + infoFrame(song)) * 1000, SINGLE_PRECISION * 10)
    if (kind === 'traktor4') close(`${at} GRID BPM`, marker.GRID?.BPM, song.bpm, SINGLE_PRECISION)
    else same(`${at} GRID`, marker.GRID, undefined)
    const expected = cuesOf(song)
    same(`${at} number of cues`, cues.length, expected.length)
    for (const [i, { seconds, name, number }] of expected.entries()) {
      close(`${at} cue ${i} START`, cues[i]?.START, (seconds + infoFrame(song)) * 1000, MICROSECOND)
      same(`${at} cue ${i} NAME`, cues[i]?.NAME, name)
      same(`${at} cue ${i} TYPE`, cues[i]?.TYPE, '0')
      same(`${at} cue ${i} HOTCUE`, cues[i]?.HOTCUE, String(number))
    }
  }
  const [list] = PLAYLISTS.NODE[0].SUBNODES.NODE
  const entries: { PRIMARYKEY: { KEY: string } }[] = list.PLAYLIST.ENTRY
  same('playlist', list.NAME, PLAYLIST_TITLE)
  same('entries of the playlist', entries.map(({ PRIMARYKEY }) => PRIMARYKEY.KEY).join('\n'), keys.join('\n'))
}
