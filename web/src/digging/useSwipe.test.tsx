import { expect, test } from 'vitest'
import { makeSongs } from '../../test/samples.ts'
import { card, expectSong, openDig, type Song, savedDecisions } from './digTesting.ts'

/** Moves a finger, or a mouse, across the card. */
async function drag(song: Song, { x, y, pointerType = 'touch' }: { x: number; y: number; pointerType?: string }) {
  const element = card(song).element()
  const send = (type: string, clientX: number, clientY: number) =>
    element.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        pointerId: 7,
        pointerType,
        isPrimary: true,
        clientX,
        clientY,
        buttons: 1,
      }),
    )
  send('pointerdown', 300, 300)
  send('pointermove', 300 + x / 2, 300 + y / 2)
  send('pointermove', 300 + x, 300 + y)
  const shown = { swipe: (element as HTMLElement).dataset.swipe, isReady: element.hasAttribute('data-ready') }
  send('pointerup', 300 + x, 300 + y)
  return shown
}

test.each([
  ['left', { x: -140, y: 10 }, 'skip'],
  ['right', { x: 140, y: -10 }, 'crate'],
  ['up', { x: 20, y: -140 }, 'favourite'],
] as const)('a swipe to the %s shows what it does, and decides', async (_, movement, action) => {
  const songs = makeSongs(2)
  await openDig(songs)
  expect(await drag(songs[0]!, movement)).toEqual({ swipe: action, isReady: true })
  await expectSong(songs[1]!)
  await expect.poll(savedDecisions).toEqual([[songs[0]!.entity_id, action]])
})

test.each([
  ['short', { x: 60, y: 0 }],
  ['downward', { x: 0, y: 200 }],
  ['mouse', { x: -300, y: 0, pointerType: 'mouse' }],
])('a %s movement decides nothing', async (_, movement) => {
  const songs = makeSongs(2)
  await openDig(songs)
  await drag(songs[0]!, movement)
  await expectSong(songs[0]!)
  expect(savedDecisions()).toEqual([])
})

test('a browser does not take a swipe for a fling, after which it would ignore taps', async () => {
  const songs = makeSongs(2)
  await openDig(songs)
  const move = new TouchEvent('touchmove', { bubbles: true, cancelable: true })
  card(songs[0]!).element().dispatchEvent(move)
  expect(move.defaultPrevented).toBe(true)
})
