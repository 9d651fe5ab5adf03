const FORWARDED_EVENTS = [
  'play',
  'pause',
  'playing',
  'waiting',
  'canplay',
  'emptied',
  'progress',
  'loadedmetadata',
  'durationchange',
  'timeupdate',
  'seeking',
  'seeked',
  'ended',
  'error',
] as const

/**
 * The audio of the player: an audio element that is heard, and a second one that has loaded the start of what will
 * probably be played next. That one starts at once, even while the page is busy rendering, where an element that only
 * then gets its source needs the page several times before it plays. To the outside both are one element.
 */
export class SoundElement extends EventTarget {
  #heard = this.#createElement()
  #spare: HTMLAudioElement | undefined
  #loadedUrl: string | undefined
  #preparedUrl: string | undefined

  #createElement(): HTMLAudioElement {
    const element = new Audio()
    for (const name of FORWARDED_EVENTS)
      element.addEventListener(name, () => {
        if (element === this.#heard) this.dispatchEvent(new Event(name))
      })
    return element
  }

  /** The element that is heard now. */
  get heard(): HTMLAudioElement {
    return this.#heard
  }

  get paused() {
    return this.#heard.paused
  }
  get seeking() {
    return this.#heard.seeking
  }
  get duration() {
    return this.#heard.duration
  }
  get readyState() {
    return this.#heard.readyState
  }
  get error() {
    return this.#heard.error
  }
  get playbackRate() {
    return this.#heard.playbackRate
  }
  get currentTime() {
    return this.#heard.currentTime
  }
  set currentTime(seconds: number) {
    this.#heard.currentTime = seconds
  }

  setVolume(volume: number, muted: boolean) {
    this.#heard.volume = volume
    this.#heard.muted = muted
  }

  play(): Promise<void> {
    return this.#heard.play()
  }

  pause() {
    this.#heard.pause()
  }

  /** Loads a URL and goes to a second of it, paused. */
  load(url: string, at_seconds: number) {
    this.#loadedUrl = url
    if (this.#takePrepared(url)) {
      if (this.#heard.currentTime !== at_seconds) this.#heard.currentTime = at_seconds
      return
    }
    this.#heard.preload = 'auto'
    this.#heard.src = url
    // Before the metadata has loaded, this sets the start position.
    this.#heard.currentTime = at_seconds
  }

  unload() {
    this.#loadedUrl = undefined
    unload(this.#heard)
  }

  /** What `load` was called with, until `unload`. */
  get loadedUrl(): string | undefined {
    return this.#loadedUrl
  }

  /** Loads the metadata of a URL, and what it needs to start at a second, for the next `load` of the same URL. */
  prepare(url: string, at_seconds: number) {
    if (this.#preparedUrl === url && !this.#spare?.error) return
    this.#preparedUrl = url
    this.#spare ??= this.#createElement()
    this.#spare.preload = 'metadata'
    this.#spare.src = url
    this.#spare.currentTime = at_seconds
  }

  /**
   * Exchanges the two elements if this URL is prepared. Only while the user presses something: Safari lets an element
   * play by itself only after it was played during a press.
   */
  #takePrepared(url: string): boolean {
    const prepared = this.#spare
    if (!prepared || prepared.error || this.#preparedUrl !== url || !navigator.userActivation?.isActive) return false
    this.#spare = this.#heard
    this.#heard = prepared
    this.#preparedUrl = undefined
    unload(this.#spare)
    prepared.preload = 'auto'
    this.dispatchEvent(new Event('emptied'))
    return true
  }
}

function unload(element: HTMLAudioElement) {
  element.pause()
  element.removeAttribute('src')
  element.load()
}

export const audio = new SoundElement()
