import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Comparisons } from '../comparisons.ts'
import { bytesOf, type Kit, keyOf, relativePath, textFile, titleOf } from '../expected.ts'
import { KIT_KINDS } from '../pool.ts'
import { SONG_SECONDS } from '../songs.ts'
import { parseXml } from './xml.ts'

type PlaylistEntry = { seconds: string; name: string; path: string }

/** Reads an extended M3U: every line that begins with '#' is a comment, and one may describe the next entry. */
function readPlaylist(text: string): PlaylistEntry[] {
  let described = { seconds: '', name: '' }
  const entries: PlaylistEntry[] = []
  for (const line of text.split('\n')) {
    const [, seconds = '', name = ''] = /^#EXTINF:(-?\d+),(.*)$/.exec(line) ?? []
    if (seconds) described = { seconds, name }
    else if (line !== '' && !line.startsWith('#')) entries.push({ ...described, path: line })
  }
  return entries
}

/** Compares the playlists of every program: one with paths from the music folder, one with whole paths. */
export function comparePlaylists(kit: Kit, { same }: Comparisons): void {
  for (const kind of KIT_KINDS) {
    const relative = readPlaylist(textFile(kit, kind, /(?<!\(whole paths\))\.m3u8$/))
    const absolute = readPlaylist(textFile(kit, kind, /\(whole paths\)\.m3u8$/))
    same(`${kind}: entries`, `${relative.length} ${absolute.length}`, `${kit.songs.length} ${kit.songs.length}`)
    for (const [n, song] of kit.songs.entries()) {
      const at = `${kind}: song ${song.number}`
      const located = path.posix.normalize(relative[n]?.path ?? '')
      same(`${at} relative path`, located, relativePath(kit, kit.paths[n]!))
      same(`${at} relative path exists`, existsSync(path.join(kit.musicFolder, located)), true)
      same(`${at} whole path`, absolute[n]?.path, kit.paths[n])
      for (const entry of [relative[n], absolute[n]]) {
        same(`${at} name`, entry?.name, `${song.artist} - ${titleOf(song)}`)
        same(`${at} seconds`, entry?.seconds, String(SONG_SECONDS))
      }
    }
  }
}

/** Compares VirtualDJ's list, as fast-xml-parser reads it. */
export function compareVirtualDj(kit: Kit, { same, close }: Comparisons): void {
  const { song: read, noDuplicates } = parseXml(textFile(kit, 'virtualdj', /\.vdjfolder$/)).VirtualFolder
  same('number of songs', read.length, kit.songs.length)
  same('noDuplicates', noDuplicates, 'no')
  for (const [n, song] of kit.songs.entries()) {
    const at = `song ${song.number}`
    same(`${at} path`, read[n].path, kit.paths[n])
    same(`${at} size`, read[n].size, String(bytesOf(kit, 'virtualdj', n)))
    same(`${at} artist`, read[n].artist, song.artist)
    same(`${at} title`, read[n].title, titleOf(song))
    same(`${at} remix`, read[n].remix ?? '', song.remixer)
    same(`${at} key`, read[n].key, keyOf(song, kit.profile))
    same(`${at} idx`, read[n].idx, String(n))
    close(`${at} bpm`, read[n].bpm, song.bpm, 0.001)
    close(`${at} songlength`, read[n].songlength, SONG_SECONDS, 0.1)
  }
}
