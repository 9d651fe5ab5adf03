import type { catalogue } from '@dubplate/contract'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { rowOf, rows } from '../player/testing.ts'
import * as texts from './texts.ts'

/** Helpers of component tests with selected rows. */

export const bar = page.getByRole('region', { name: texts.selectedSongs })

/** A place in a row that is neither a button nor a link. */
export const emptySpotIn = (song: catalogue.Song) => rowOf(song).getByTitle(/ · \d+[AB] · /)

export const titlesOf = (elements: Element[]) =>
  elements.map((row) => row.querySelector('[data-testid=song-title]')?.textContent)

const selectedTitles = () => titlesOf(rows.elements().filter(({ ariaSelected }) => ariaSelected === 'true'))

export async function expectSelected(songs: catalogue.Song[]): Promise<void> {
  await expect.poll(selectedTitles).toEqual(songs.map(({ title }) => title))
  if (songs.length === 0) await expect.element(bar).not.toBeInTheDocument()
  else await expect.element(bar.getByText(`${songs.length} selected`)).toBeInTheDocument()
}
