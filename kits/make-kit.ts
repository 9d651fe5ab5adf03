import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TestPool } from '../server/test/pool.ts'
import { commentOf, genreOf, type Kit, keyOf, titleOf } from './expected.ts'
import { downloadKits, KIT_KINDS, type KitProfile, unpack } from './pool.ts'
import { databaseV2 } from './readers/serato-fields.ts'
import { type KitSong, SONG_SECONDS } from './songs.ts'

type StoredSongs = { songs: readonly KitSong[]; ids: readonly number[] }

/**
 * Downloads the kits of a profile and unpacks them in a member's home folder: Serato's, whose music has all tags, where
 * Serato and Mixxx look for it, and the others in folders named after them.
 */
export async function makeKit(
  pool: TestPool,
  stored: StoredSongs,
  { profile, home }: { profile: KitProfile; home: string },
): Promise<Kit> {
  const songs = stored.songs.toReversed()
  const musicFolder = path.join(home, 'Music')
  const files = await downloadKits(pool, stored.ids.toReversed(), { profile, musicFolder })
  for (const kind of KIT_KINDS) unpack(files[kind], kind === 'serato' ? musicFolder : path.join(home, kind))
  const music = [...files.serato.keys()].filter((name) => /\.(mp3|flac)$/.test(name))
  const kit = { profile, home, musicFolder, songs, paths: music.map((name) => path.join(musicFolder, name)), files }
  writeFileSync(path.join(home, 'collection.nml'), files.traktor.get('dubplate.nml')!)
  mkdirSync(path.join(musicFolder, '_Serato_'), { recursive: true })
  writeFileSync(
    path.join(musicFolder, '_Serato_', 'database V2'),
    databaseV2(songs.map((_, n) => databaseTrack(kit, n))),
  )
  return kit
}

function databaseTrack(kit: Kit, n: number): Record<string, string> {
  const song = kit.songs[n]!
  return {
    ...{ ttyp: song.sound === 'flac' ? 'flac' : 'mp3', pfil: kit.paths[n]!.slice(1), tsng: titleOf(song) },
    ...{ tart: song.artist, talb: song.album, tgen: genreOf(song), tlen: String(SONG_SECONDS) },
    ...{ tbpm: song.bpm.toFixed(2), tcom: commentOf(song), tlbl: song.label, tkey: keyOf(song, kit.profile) },
  }
}
