import { catalogue } from '@dubplate/contract'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { rowOf, songRows } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSongs, singlePage } from '../../test/samples.ts'
import { audio } from './audio.ts'

/** Helpers of component tests of the player and of lists. */

type SongTitle = Pick<catalogue.Song, 'title'>

export const player = page.getByRole('region', { name: 'Player' })
export const playerButton = (name: string) => player.getByRole('button', { name, exact: true })
export const position = player.getByRole('slider', { name: 'Seek' })

export { rowOf } from '../../test/locators.ts'
export { expectPaused, expectPlaying } from '../../test/sound.ts'

export const rows = songRows()

/** Opens the new releases with these songs and waits until every row is rendered. */
export async function openNewReleases(songs: catalogue.Song[] = makeSongs(24)): Promise<catalogue.Song[]> {
  fakeApi.reply(catalogue.getNewRelease, { songs, pagination: singlePage(songs.length) })
  await openApp('/newRelease')
  await expectRows(songs.length)
  return songs
}

export const expectRows = (count: number) => expect.poll(() => rows.elements().length).toBe(count)

/** Plays the first version of a song from its row. */
export const play = (song: SongTitle) =>
  rowOf(song)
    .getByRole('button', { name: /^Preview / })
    .first()
    .click()

/** Waits until the player shows this song as the current one. */
export const expectCurrent = ({ title }: SongTitle) =>
  expect.element(player.getByRole('link', { name: title, exact: true })).toBeVisible()

export const expectPosition = (seconds: number) => expect.poll(() => audio.currentTime).toBeCloseTo(seconds, 0)
