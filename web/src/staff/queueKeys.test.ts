import type { KeyboardEvent } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { queueKeys } from './queueKeys.ts'

/** An application of the queue: what its keys need of an element. */
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

test('a key presses the button of the application in focus', () => {
  press('a')
  expect(first.pressed).toEqual(['[data-key="a"]'])
})

test('a key that is held down decides one application, not those that follow', () => {
  press('a')
  for (const key of ['a', 'd', 'u', 'n', 'o']) press(key, { on: second, repeat: true })
  expect(second.pressed).toEqual([])
})

test('a key that is held down goes on through the queue', () => {
  press('j', { repeat: true })
  press('ArrowDown', { repeat: true })
  expect(second.focused).toBe(2)
})

test('Enter opens the item in focus; on a button of it, it presses that button alone', () => {
  press('Enter')
  expect(first.pressed).toEqual(['[data-key="Enter"]'])
  const button = Object.assign(new FakeItem(), { closest: () => second })
  press('Enter', { on: button })
  expect(second.pressed).toEqual([])
})

test('a slider in the item keeps the arrows it has answered', () => {
  press('ArrowDown', { defaultPrevented: true })
  expect(second.focused).toBe(0)
})
