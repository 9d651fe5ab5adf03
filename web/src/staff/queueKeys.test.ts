import type { KeyboardEvent } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { queueKeys } from './queueKeys.ts'

/** A card of the queue with the parts of an element that its keys need. */
class FakeItem {
  pressed: string[] = []
  focused = 0
  nextElementSibling: FakeItem | null = null
  previousElementSibling: FakeItem | null = null
  matches = () => false
  closest = () => this
  focus = () => void this.focused++
  querySelector = (selector: string) => ({ click: () => this.pressed.push(selector) })
}
vi.stubGlobal('HTMLElement', FakeItem)

let first: FakeItem
let second: FakeItem
beforeEach(() => {
  first = new FakeItem()
  second = new FakeItem()
  first.nextElementSibling = second
})

const press = (key: string, { on = first, repeat = false, defaultPrevented = false } = {}) =>
  queueKeys.onKeyDown({
    target: on,
    key,
    repeat,
    defaultPrevented,
    preventDefault: () => undefined,
  } as unknown as KeyboardEvent<HTMLElement>)

test('presses the button of the focused application', () => {
  press('a')
  expect(first.pressed).toEqual(['[data-key="a"]'])
})

test('decides only one application while a key is held down', () => {
  press('a')
  for (const key of ['a', 'd', 'u', 'n', 'o']) press(key, { on: second, repeat: true })
  expect(second.pressed).toEqual([])
})

test('moves through the queue while a key is held down', () => {
  press('j', { repeat: true })
  press('ArrowDown', { repeat: true })
  expect(second.focused).toBe(2)
})

test('opens the focused item on Enter, but presses only the button when a button has the focus', () => {
  press('Enter')
  expect(first.pressed).toEqual(['[data-key="Enter"]'])
  const button = Object.assign(new FakeItem(), { closest: () => second })
  press('Enter', { on: button })
  expect(second.pressed).toEqual([])
})

test('leaves the arrow keys to a slider in the item', () => {
  press('ArrowDown', { defaultPrevented: true })
  expect(second.focused).toBe(0)
})
