/** The browser APIs the player needs, for tests outside a browser. Importing this file installs them. */

/** An audio element without delays; the test decides when time passes. */
export class FakeAudio extends EventTarget {
  /** Every element since the last `leavePage`, the first one first. */
  static all: FakeAudio[] = []
  #src = ''
  preload = ''
  currentTime = 0
  duration = Number.NaN
  volume = 1
  muted = false
  paused = true
  seeking = false
  playbackRate = 1
  error: { code: number } | null = null
  /** 0 until the server has responded. */
  readyState = 4
  /** The actions of the element, in order: 'play /previews/2.mp3 at 0'. */
  actions: string[] = []

  constructor() {
    super()
    FakeAudio.all.push(this)
  }

  get src() {
    return this.#src
  }

  /** A new source stops the audio and starts from the beginning, without an event. */
  set src(address: string) {
    this.#src = address
    this.actions.push(`load ${address}`)
    this.currentTime = 0
    this.duration = Number.NaN
    this.error = null
    this.paused = true
  }

  play() {
    this.actions.push(`play ${this.#src} at ${this.currentTime}`)
    this.paused = false
    this.emit('play')
    return Promise.resolve()
  }

  pause() {
    if (this.paused) return
    this.actions.push('pause')
    this.paused = true
    this.emit('pause')
  }

  load() {
    this.actions.push('load')
    this.currentTime = 0
  }

  removeAttribute(name: string) {
    if (name === 'src') this.#src = ''
  }

  /** Stops for good, without an event. */
  leave() {
    this.paused = true
    this.play = () => Promise.resolve()
  }

  emit(event: string) {
    this.dispatchEvent(new Event(event))
  }

  /** Plays for a number of seconds, in steps of a quarter second, as real elements report it. */
  playSeconds(seconds: number) {
    for (let at = 0; at <= seconds; at += 0.25) {
      this.emit('timeupdate')
      this.currentTime += 0.25
    }
    this.currentTime -= 0.25
  }

  /** Plays to the end. */
  end() {
    this.paused = true
    this.emit('pause')
    this.emit('ended')
  }

  fail(code: number) {
    this.error = { code }
    this.emit('error')
  }
}

class FakeStorage {
  entries = new Map<string, string>()
  getItem = (key: string) => this.entries.get(key) ?? null
  setItem = (key: string, value: string) => void this.entries.set(key, value)
  removeItem = (key: string) => void this.entries.delete(key)
}

export const storage = new FakeStorage()
export const browser: { onLine: boolean; userActivation?: { isActive: boolean }; connection?: { saveData: boolean } } =
  {
    onLine: true,
  }

/** The event target behind `window`. */
export let page = new EventTarget()

/**
 * Simulates a new page: audio stops, all listeners are removed, stored data is kept. Called after each test that plays
 * something: a stalled player would send requests while other tests run.
 */
export const leavePage = () => {
  page = new EventTarget()
  for (const element of FakeAudio.all) element.leave()
  FakeAudio.all = []
}

const address = { pathname: '/', search: '', hash: '', href: '/' }
const listening = {
  addEventListener: (name: string, listener: EventListener) => page.addEventListener(name, listener),
  removeEventListener: (name: string, listener: EventListener) => page.removeEventListener(name, listener),
  dispatchEvent: (event: Event) => page.dispatchEvent(event),
}

Object.defineProperty(globalThis, 'navigator', { value: browser, configurable: true })
Object.assign(globalThis, {
  ...listening,
  Audio: FakeAudio,
  localStorage: storage,
  document: listening,
  window: { ...listening, location: address, history: { state: {}, pushState() {}, replaceState() {} } },
})
