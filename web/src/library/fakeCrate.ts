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
  let order: 'newest' | 'own' = 'newest'
  let revision = 0
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
  fakeApi.reply(library.crateIndex, () => ({ songs: crate, list: ids(), order, pagination: singlePage(crate.length) }))
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
  const saveOrder = (songs: catalogue.Song[], sort: typeof order) => {
    crate = songs
    order = sort
    revision += 1
    return { order, song_ids: ids(), revision }
  }
  fakeApi.reply(library.moveInCrate, ({ song_id, position }) => {
    const song = crate.find(({ entity_id }) => entity_id === Number(song_id))
    const others = crate.filter((each) => each !== song)
    return saveOrder(song ? others.toSpliced(Number(position) - 1, 0, song) : others, 'own')
  })
  fakeApi.reply(library.orderCrate, (input) => {
    const songIds = (input.song_ids as number[] | undefined) ?? ids()
    const sorted = crate.toSorted((a, b) => songIds.indexOf(a.entity_id) - songIds.indexOf(b.entity_id))
    return saveOrder(sorted, input.order as typeof order)
  })
  // Arranged by tempo alone.
  fakeApi.reply(library.arrangeCrate, () => {
    const previous = { order, song_ids: ids() }
    const arranged = crate.toSorted((a, b) => (a.min_bpm ?? 0) - (b.min_bpm ?? 0))
    return { ...saveOrder(arranged, 'own'), previous }
  })
  fakeApi.reply(library.crateTempos, () => ({
    songs: crate.map(({ entity_id, min_bpm, song_key, version }) => ({
      ...{ entity_id, bpm: min_bpm, bpm_to: null, song_key, energy: null },
      duration_seconds: version[0]?.duration_seconds ?? 0,
    })),
  }))
  return { ids }
}

type CrateChangeInput = { song_ids?: unknown[]; version_ids?: unknown[] }
