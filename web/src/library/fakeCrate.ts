import { type catalogue, library } from '@dubplate/contract'
import { fakeApi } from '../../test/fakeApi.ts'
import { onePage } from '../../test/samples.ts'

const versionIds = (songs: catalogue.Song[]) =>
  songs.flatMap(({ version }) => version.map(({ song_version_id }) => song_version_id))

/**
 * A crate that the fake API keeps for one test: songs go in on top and come out whole. Which versions a song had, and its
 * place after an undo, are the server's work; a test reads them from the requests.
 */
export function fakeCrate(known: catalogue.Song[], held: catalogue.Song[] = []) {
  let crate = held
  const ids = () => crate.map(({ entity_id }) => entity_id)
  const isNamed =
    ({ song_ids = [], version_ids = [] }: Wanted) =>
    (song: catalogue.Song) =>
      (song_ids as number[]).includes(song.entity_id) ||
      versionIds([song]).some((id) => (version_ids as number[]).includes(id))

  fakeApi.reply(library.getCrates, () => ({ crates: ids(), version: versionIds(crate), count: crate.length }))
  fakeApi.reply(library.crateIndex, () => ({ songs: crate, list: ids(), pagination: onePage(crate.length) }))
  fakeApi.reply(library.clearCrates, () => {
    const cleared = versionIds(crate).length
    crate = []
    return { cleared }
  })
  fakeApi.reply(library.crateAddRemove, ({ songId }) => {
    const isIn = ids().includes(Number(songId))
    const song = known.filter(({ entity_id }) => entity_id === Number(songId))
    crate = isIn ? crate.filter((each) => !song.includes(each)) : [...song, ...crate]
    return { in_crate: !isIn, count: crate.length }
  })
  fakeApi.reply(library.crateChange, (input) => {
    const named = known.filter(isNamed(input as Wanted))
    const others = crate.filter((song) => !named.includes(song))
    const below = others.findIndex(({ entity_id }) => entity_id === Number(input.below)) + 1
    crate = input.action === 'remove' ? others : others.toSpliced(below, 0, ...named)
    return { changed: named.length, count: crate.length }
  })
  return { ids }
}

type Wanted = { song_ids?: unknown[]; version_ids?: unknown[] }
