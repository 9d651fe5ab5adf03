import { digging } from '@dubplate/contract'
import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, type makeSong } from '../../test/samples.ts'

export type Song = ReturnType<typeof makeSong>
type Decision = { action: string | undefined; entity_id: number }

/** A server that keeps the decisions of one list. */
export function fakeList(songs: Song[], { drop_seconds = 3 as number | null, title = '' } = {}) {
  const decided = new Map<number, (typeof digging.DIG_ACTIONS)[number]>()
  const countOf = (action: string) => [...decided.values()].filter((each) => each === action).length
  fakeApi.reply(digging.digSongs, () => {
    const open = songs.filter(({ entity_id }) => !decided.has(entity_id))
    return {
      title,
      left: open.length,
      decisions: {
        skip: countOf('skip'),
        crate: countOf('crate'),
        favourite: countOf('favourite'),
        never: countOf('never'),
      },
      songs: open.slice(0, digging.DIG_SONGS).map((song) => ({
        song,
        structure: song.version.map(({ song_version_id }) => ({ song_version_id, drop_seconds, energy: 7 })),
      })),
    }
  })
  fakeApi.reply(digging.digDecide, ({ entity_id, action }) => {
    decided.set(entity_id as number, action)
    return {}
  })
  fakeApi.reply(digging.digUndo, ({ entity_id }) => {
    decided.delete(entity_id as number)
    return {}
  })
  fakeApi.reply(digging.digReset, () => {
    const forgotten = decided.size
    decided.clear()
    return { forgotten }
  })
}

export const savedDecisions = () =>
  fakeApi.inputsOf(digging.digDecide).map((input) => {
    const { action, entity_id } = input as Decision
    return [entity_id, action]
  })

export async function openDig(songs: Song[], list = 'new', options?: Parameters<typeof fakeList>[1]) {
  fakeList(songs, options)
  signInAs(makeProfile())
  // Browsers only play sound once a person has used the page.
  await userEvent.click(document.body)
  await openApp(`/dig/${list}`)
  if (songs[0]) await expectSong(songs[0])
}

export const card = (song: Pick<Song, 'title'>) => page.getByRole('article', { name: song.title, exact: true })
export const expectSong = (song: Pick<Song, 'title'>) => expect.element(card(song)).toBeVisible()
export const button = (name: string | RegExp) => page.getByRole('button', { name })
