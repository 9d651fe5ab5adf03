import { type catalogue, library } from '@dubplate/contract'
import { fakeApi } from '../../test/fakeApi.ts'
import { singlePage } from '../../test/samples.ts'

const versionIds = (songs: catalogue.Song[]) =>
  songs.flatMap(({ version }) => version.map(({ song_version_id }) => song_version_id))

/**
 * A crate that the fake API stores for one test. Songs are added at the top or below another one; with which versions is
 * up to the server when a test names none: here, with all of them.
 */
export function fakeCrate(known: catalogue.Song[], initialSongs: catalogue.Song[] = []) {
  let crate = initialSongs
  let versions = new Set(versionIds(initialSongs))
  const ids = () => crate.map(({ entity_id }) => entity_id)
  const settle = () => {
    crate = crate.filter((song) => versionIds([song]).some((id) => versions.has(id)))
  }

  fakeApi.reply(library.getCrates, () => ({
    crates: ids(),
    version: versionIds(crate).filter((id) => versions.has(id)),
    count: crate.length,
  }))
  fakeApi.reply(library.crateIndex, () => ({ songs: crate, list: ids(), pagination: singlePage(crate.length) }))
  fakeApi.reply(library.clearCrates, () => {
    const cleared = versions.size
    versions = new Set()
    settle()
    return { cleared }
  })
  fakeApi.reply(library.crateAddRemove, ({ songId, versionId }) => {
    const song = known.filter(({ entity_id }) => entity_id === Number(songId))
    const toggled = versionId ? [Number(versionId)] : versionIds(song)
    const isOn = toggled.some((id) => versions.has(id))
    for (const id of toggled) isOn ? versions.delete(id) : versions.add(id)
    crate = [...song.filter((each) => !crate.includes(each)), ...crate]
    settle()
    return { in_crate: !isOn, count: crate.length }
  })
  fakeApi.reply(library.crateChange, (input) => {
    const { song_ids = [], version_ids = [] } = input as CrateChangeInput
    const matching = known.filter(
      (song) => song_ids.includes(song.entity_id) || versionIds([song]).some((id) => version_ids.includes(id)),
    )
    const named = [
      ...versionIds(matching.filter(({ entity_id }) => song_ids.includes(entity_id))),
      ...version_ids.map(Number),
    ]
    if (input.action === 'remove') for (const id of named) versions.delete(id)
    else {
      for (const id of named) versions.add(id)
      const others = crate.filter((song) => !matching.includes(song))
      crate = others.toSpliced(
        others.findIndex(({ entity_id }) => entity_id === Number(input.below)) + 1,
        0,
        ...matching,
      )
    }
    settle()
    return { changed: matching.length, count: crate.length }
  })
  return { ids }
}

type CrateChangeInput = { song_ids?: unknown[]; version_ids?: unknown[] }
