/** The parts of a browser the player needs, for tests outside one. Importing it puts them in place. */

/** An audio element that does at once what it is told; time passes when the test says so. */
export class FakeAudio extends EventTarget {
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
  /** 0 until the server has answered. */
  readyState = 4
  /** What the element was asked for, in order. */
  queryResult: string[] = []

  get src() {
    return this.#src
  }

  /** Another source stops the sound and starts it over, without an event. */
  set src(address: string) {
    this.#src = address
    this.queryResult.push(`load ${address}`)
    this.currentTime = 0
    this.duration = Number.NaN
    this.error = null
    this.paused = true
  }

  play() {
    this.queryResult.push(`play ${this.#src} at ${this.currentTime}`)
    this.paused = false
    this.emit('play')
    return Promise.resolve()
  }

  pause() {
    if (this.paused) return
    this.queryResult.push('pause')
    this.paused = true
    this.emit('pause')
  }

  load() {
    this.queryResult.push('load')
    this.currentTime = 0
  }

  removeAttribute(name: string) {
    if (name === 'src') this.#src = ''
  }

  emit(event: string) {
    this.dispatchEvent(new Event(event))
  }

  /** Plays on for so many seconds, a quarter of a second at a time, as elements report it. */
  playSeconds(seconds: number) {
    for (let at = 0; at <= seconds; at += 0.25) {
      this.emit('timeupdate')
      this.currentTime += 0.25
    }
    this.currentTime -= 0.25
  }

  /** Plays to its end. */
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
export const browser = { onLine: true }

/** What `window` listens with. */
export let page = new EventTarget()

/** Leaves the page for a new one: nothing listens any more, what is stored stays. */
export const leavePage = () => {
  page = new EventTarget()
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
