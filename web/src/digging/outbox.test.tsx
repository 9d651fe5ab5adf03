import { digging } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { reopenApp } from '../../test/openApp.tsx'
import { makeSongs } from '../../test/samples.ts'
import { button, expectSong, fakeList, openDig, savedDecisions } from './digTesting.ts'

test('keeps decisions that could not be saved, and saves them later in order', async () => {
  const songs = makeSongs(3)
  await openDig(songs)
  fakeApi.setOffline(true)
  await userEvent.keyboard('c')
  await expectSong(songs[1]!)
  await userEvent.keyboard('{ArrowRight}')
  await expectSong(songs[2]!)
  await expect.element(page.getByText('2 decisions aren’t saved yet.')).toBeVisible()
  expect(JSON.parse(localStorage.getItem('dubplate.dig-outbox')!)).toHaveLength(2)
  fakeApi.setOffline(false)
  await expect.element(page.getByText('aren’t saved yet')).not.toBeInTheDocument()
  expect(savedDecisions().slice(-2)).toEqual([
    [songs[0]!.entity_id, 'crate'],
    [songs[1]!.entity_id, 'skip'],
  ])
  expect(localStorage.getItem('dubplate.dig-outbox')).toBeNull()
})

test('saves decisions again when the server did not answer, also after a reload', async () => {
  const songs = makeSongs(2)
  await openDig(songs)
  fakeApi.rejectWith(digging.digDecide, { code: 'internal_error' as never, message: 'Try again.', status: 503 })
  await userEvent.keyboard('f')
  await expect.element(page.getByText('1 decision isn’t saved yet.')).toBeVisible()
  fakeList(songs)
  await button('Try again').click()
  await expect.element(page.getByText('isn’t saved yet')).not.toBeInTheDocument()
  localStorage.setItem(
    'dubplate.dig-outbox',
    JSON.stringify([{ customer_id: 1, list: 'new', entity_id: songs[1]!.entity_id, title: 'Song 2', action: 'skip' }]),
  )
  await reopenApp('/dig/new')
  await expect.poll(() => savedDecisions().at(-1)).toEqual([songs[1]!.entity_id, 'skip'])
})

test('shows a song again whose decision the server rejects', async () => {
  const songs = makeSongs(2)
  await openDig(songs)
  fakeApi.rejectWith(digging.digDecide, { code: 'crate_full', message: 'Your crate is full.' })
  await userEvent.keyboard('c')
  await expect.element(page.getByText('Your crate is full.')).toBeVisible()
  await expectSong(songs[0]!)
  await expect.element(page.getByText('2 left this week')).toBeVisible()
})
