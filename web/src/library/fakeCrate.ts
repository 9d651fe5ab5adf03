import { type catalogue, library } from '@dubplate/contract'
import { fakeApi } from '../../test/fakeApi.ts'
import { singlePage } from '../../test/samples.ts'

const versionIds = (songs: catalogue.Song[]) =>
  songs.flatMap(({ version }) => version.map(({ song_version_id }) => song_version_id))

/**
 * A crate that the fake API stores for one test: songs are added at the top and removed whole. Which versions a song
 * had, and its position after an undo, are up to the server; a test checks the requests.
 */
export function fakeCrate(known: catalogue.Song[], initialSongs: catalogue.Song[] = []) {
  let crate = initialSongs
  const ids = () => crate.map(({ entity_id }) => entity_id)
  const isRequested =
    ({ song_ids = [], version_ids = [] }: CrateChangeInput) =>
    (song: catalogue.Song) =>
      (song_ids as number[]).includes(song.entity_id) ||
      versionIds([song]).some((id) => (version_ids as number[]).includes(id))

  fakeApi.reply(library.getCrates, () => ({ crates: ids(), version: versionIds(crate), count: crate.length }))
  fakeApi.reply(library.crateIndex, () => ({ songs: crate, list: ids(), pagination: singlePage(crate.length) }))
  fakeApi.reply(library.clearCrates, () => {
    const cleared = versionIds(crate).length
    crate = []
    return { cleared }
  })
  fakeApi.reply(library.crateAddRemove, ({ songId }) => {
    const hasSong = ids().includes(Number(songId))
    const song = known.filter(({ entity_id }) => entity_id === Number(songId))
    crate = hasSong ? crate.filter((each) => !song.includes(each)) : [...song, ...crate]
    return { in_crate: !hasSong, count: crate.length }
  })
  fakeApi.reply(library.crateChange, (input) => {
    const matching = known.filter(isRequested(input as CrateChangeInput))
    const others = crate.filter((song) => !matching.includes(song))
    const below = others.findIndex(({ entity_id }) => entity_id === Number(input.below)) + 1
    crate = input.action === 'remove' ? others : others.toSpliced(below, 0, ...matching)
    return { changed: matching.length, count: crate.length }
  })
  return { ids }
}

type CrateChangeInput = { song_ids?: unknown[]; version_ids?: unknown[] }
