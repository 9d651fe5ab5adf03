import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FakeAudio, leavePage, page } from './fake-browser.ts'

/** An element that only supports `closest`. */
class FakeElement {
  selectors: string[]
  constructor(...selectors: string[]) {
    this.selectors = selectors
  }
  closest = (selector: string) => (selector.split(',').some((one) => this.selectors.includes(one)) ? this : null)
}
vi.stubGlobal('Element', FakeElement)

const { usePlayer, playerActions } = await import('./store.ts')
const audio = (await import('./audio.ts')).audio.heard as unknown as FakeAudio
const { installKeyboard } = await import('./keyboard.ts')
const { KEYS } = await import('./shortcuts.ts')
const { useSession } = await import('../platform/session.ts')
const { useLibrary } = await import('../library/library.ts')
const { useDownloads } = await import('../downloads/download.ts')

const version = { song_version_id: 1, version_label: 'Clean', mp3: '/1.mp3', duration_seconds: 200, available: true }
const entryOf = (id: number) =>
  ({
    song: { entity_id: id, title: 'Afterglow', genres: [], version: [] },
    version: { ...version, song_version_id: id },
  }) as never

installKeyboard()

let findOnPage: (selector: string) => object | null = () => null
const root = { inert: false }
Object.assign(document, { querySelector: (selector: string) => findOnPage(selector), getElementById: () => root })

/** Presses a key on an element; returns whether the page handled it. */
const press = (
  key: string,
  { element = new FakeElement('body'), ...modifiers }: Partial<KeyboardEvent> & { element?: FakeElement } = {},
) => {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...modifiers })
  Object.defineProperty(event, 'target', { value: element, configurable: true })
  page.dispatchEvent(event)
  return event.defaultPrevented
}

afterAll(leavePage)

beforeEach(() => {
  playerActions.clear()
  usePlayer.setState({ muted: false, shuffle: false, repeatOne: false })
  playerActions.setVolume(1)
  playerActions.play(entryOf(1))
  audio.duration = 200
})

describe('keyboard shortcuts', () => {
  test('play and pause with Space, but press a focused button', () => {
    expect(press(' ')).toBe(true)
    expect(usePlayer.getState().playing).toBe(false)
    expect(press(' ', { element: new FakeElement('button') })).toBe(false)
    expect(usePlayer.getState().playing).toBe(false)
  })

  test('are ignored while a dialog covers the page, even before it has the focus', () => {
    root.inert = true
    expect(press(' ')).toBe(false)
    expect(press('m')).toBe(false)
    root.inert = false
    expect(usePlayer.getState()).toMatchObject({ playing: true, muted: false })
  })

  test('pause once while Space is held', () => {
    press(' ')
    expect(press(' ', { repeat: true })).toBe(true)
    expect(usePlayer.getState().playing).toBe(false)
  })

  test('seek 5 s with the arrows; change the version with Shift and an arrow, p and n', () => {
    playerActions.play(entryOf(2))
    audio.duration = 200
    audio.currentTime = 50
    press('ArrowRight')
    expect(audio.currentTime).toBe(55)
    press('ArrowLeft')
    press('ArrowLeft')
    expect(audio.currentTime).toBe(45)
    press('ArrowLeft', { shiftKey: true })
    expect(usePlayer.getState().index).toBe(0)
    press('n')
    expect(usePlayer.getState().index).toBe(1)
  })

  test.each([
    ['1', 0],
    ['2', 25],
    ['8', 175],
    ['0', 0],
    ['9', 180],
  ])('jump to eighths with 1 to 8, to the start with 0 and to 90% with 9: %s', (key, second) => {
    useSession.setState({ token: 'a-token', profile: { media_key: 'a-key' } as never })
    playerActions.play(entryOf(2))
    audio.duration = 200
    audio.currentTime = 90
    press(key)
    expect(audio.currentTime).toBe(second)
  })

  test('change the volume by a tenth with up and down, minus and equals', () => {
    press('ArrowDown')
    press('-')
    expect(usePlayer.getState().volume).toBe(0.8)
    press('ArrowUp')
    press('=')
    expect(usePlayer.getState().volume).toBe(1)
  })

  test('toggle mute, shuffle, repeat one and the queue with m, s, r and q', () => {
    const before = usePlayer.getState()
    for (const key of ['m', 's', 'R', 'q']) press(key)
    const { muted, shuffle, repeatOne } = usePlayer.getState()
    expect([muted, shuffle, repeatOne]).toEqual([!before.muted, !before.shuffle, !before.repeatOne])
    expect(usePlayer.getState().isQueueOpen).toBe(true)
  })

  test('are off while typing, in dialogs and in menus', () => {
    for (const position of ['textarea', '[role=dialog]', '[role=menu]']) {
      expect(press('m', { element: new FakeElement(position) })).toBe(false)
    }
  })

  test('leave a slider its arrows, but not Space', () => {
    expect(press('ArrowRight', { element: new FakeElement('[role=slider]') })).toBe(false)
    expect(press(' ', { element: new FakeElement('[role=slider]') })).toBe(true)
  })

  test('ignore combinations with modifier keys', () => {
    for (const modifiers of ['ctrlKey', 'metaKey', 'altKey']) {
      for (const key of ['r', 's', 'l', 'd', 'ArrowLeft', '1']) expect(press(key, { [modifiers]: true })).toBe(false)
    }
    expect(press('S', { shiftKey: true })).toBe(false)
  })

  test('do nothing while the player is empty: Space and the arrows scroll', () => {
    playerActions.clear()
    for (const key of [' ', 'ArrowDown', 'ArrowUp', '5', 'm', 's', 'r', 'q', '-']) expect(press(key)).toBe(false)
    expect(usePlayer.getState()).toMatchObject({ muted: false, shuffle: false, volume: 1, isQueueOpen: false })
  })

  test('favourite, crate and download the playing version with l, c and d', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    useSession.setState({ token: 'a-token' })
    for (const key of ['l', 'c', 'd']) press(key)
    expect([...useLibrary.getState().favourites]).toEqual([1])
    await vi.waitFor(() => expect([...useLibrary.getState().crateSongs]).toEqual([1]), 30_000)
    expect([...useDownloads.getState().busy]).toEqual(['version 1'])
  })

  test('focus the search with slash', () => {
    const focused: string[] = []
    findOnPage = (selector) => ({ focus: () => focused.push(selector) })
    press('/', { shiftKey: true })
    expect(focused).toEqual(['#q'])
  })

  test('open the palette with Ctrl+K and ⌘K, wherever the focus is', () => {
    const listener = vi.fn()
    page.addEventListener('dubplate:palette', listener)
    for (const position of ['textarea', '[role=dialog]']) {
      expect(press('k', { ctrlKey: true, element: new FakeElement(position) })).toBe(true)
    }
    press('k', { metaKey: true })
    press('k', { ctrlKey: true, altKey: true })
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test('scroll to the playing row with g then c, and with nothing else', () => {
    const shown: string[] = []
    findOnPage = (selector) => ({ scrollIntoView: () => shown.push(selector) })
    const before = useLibrary.getState()
    press('g')
    press('c')
    expect(shown).toEqual(['[data-playing-row]'])
    expect(useLibrary.getState()).toBe(before)
  })

  test('move the focus along the rows with j and k and stop at the ends', () => {
    const rows = [1, 2, 3].map(() => ({ focus: vi.fn(), scrollIntoView: vi.fn(), closest: () => null }))
    const focusOn = (row: number) => Object.assign(document, { activeElement: rows[row] })
    for (const row of rows) row.focus.mockImplementation(() => focusOn(rows.indexOf(row)))
    Object.assign(document, { querySelectorAll: () => rows, activeElement: undefined })
    const at = () => rows.indexOf(document.activeElement as never)
    const visited = ['j', 'j', 'j', 'j', 'k'].map((key) => {
      press(key)
      return at()
    })
    expect(visited).toEqual([0, 1, 2, 2, 1])
  })

  test('open the help with the question mark', () => {
    const listener = vi.fn()
    page.addEventListener('dubplate:help', listener)
    press('?', { shiftKey: true })
    expect(listener).toHaveBeenCalledOnce()
  })

  test('are all listed in the help', () => {
    const listedKeys = KEYS.map(({ keys }) => keys).join(' ')
    for (const key of ['Space', '←', '→', 'Shift', ...'PN0189JK↑↓=-MSRQLCDG/?', 'Ctrl K'])
      expect(listedKeys).toContain(key)
  })
})
