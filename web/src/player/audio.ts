import type { catalogue } from '@dubplate/contract'
import { previewUrl } from '../platform/media.ts'
import { usePreferences } from '../platform/preferences.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import { isGenerating } from './generating.ts'
import { fromDecibels, loudnessGain } from './loudness.ts'
import { audio } from './soundElement.ts'
import * as texts from './texts.ts'

export { audio } from './soundElement.ts'

type Version = catalogue.Version

const CLIP_SECONDS = 30
const RETRY_AFTER_MS = 800
const WATCH_MS = 1_000
/** The number of checks in a row without progress or data after which playback counts as stalled. */
const MAX_STALL_TICKS = 6
/** The same before the server has responded: it may still be creating the preview. */
const MAX_LOADING_TICKS = 20
const LOAD_FAILED_MESSAGE = texts.couldntLoadThisPreviewTry
const OFFLINE_MESSAGE = texts.couldntLoadThisPreviewBecause

/** The events for the store. `onFailed` gets the message to show. */
type SoundEvents = {
  onStarted: () => void
  onPaused: () => void
  waiting: (isWaiting: boolean) => void
  onEnded: () => void
  onFailed: (sentence: string) => void
}

let currentVersion: Version | undefined
/** The start position of the chosen version. Nothing is requested from the server until playback starts. */
let cuedAt: number | undefined
let isPlayRequested = false
/** Added to the element's time, this is the second of the whole song: the loaded audio may be a clip of it. */
let clipOffset = 0
let isClip = false
/** The second at which the audio failed and was requested again; undefined once it has played on from there. */
let retriedAt: number | undefined
let retryTimer: ReturnType<typeof setTimeout> | undefined
let level = { volume: 1, muted: false }
let stallTimer: ReturnType<typeof setInterval> | undefined
let lastPosition = 0
let stallTicks = 0
let isAskingServer = false

/**
 * The second at which a version, and a visitor's clip of it, starts. A version saved by an older release has no such
 * position.
 */
export const startOf = ({ preview_start_seconds, duration_seconds }: Version): number =>
  preview_start_seconds < duration_seconds ? preview_start_seconds : 0

type Range = { from: number; to: number }

const clipRange = (version: Version): Range => {
  const from = startOf(version)
  return { from, to: Math.min(version.duration_seconds, from + CLIP_SECONDS) }
}

/** The seconds of a song that can be heard: all of them for members, those of the clip for visitors. */
export const audibleRange = (version: Version): Range =>
  isSignedIn() ? { from: 0, to: version.duration_seconds } : clipRange(version)

/** A second of a song if it can be heard; otherwise the second at which the song, or the clip, starts. */
export const audibleSecond = (version: Version, second: number): number => {
  const { from, to } = audibleRange(version)
  return second >= from && second < to ? second : startOf(version)
}

/** What is requested to hear a second of a song. */
type Source = {
  url: string
  isClip: boolean
  /** The second of the song at which this audio starts. */
  from_seconds: number
  duration_seconds: number
  /** The wanted second in this audio; 0 if it does not contain it. */
  at_seconds: number
}

export const sourceOf = (version: Version, second: number): Source => {
  const isClip = !useSession.getState().profile?.media_key
  const { from, to } = isClip ? clipRange(version) : { from: 0, to: version.duration_seconds }
  const canReach = second >= from && second < to
  return {
    url: previewUrl(version),
    isClip,
    // A member hears the clip until the media key has loaded, and then the song from the wanted second.
    from_seconds: isClip && isSignedIn() && !canReach ? second : from,
    duration_seconds: to - from,
    at_seconds: canReach ? second - from : 0,
  }
}

/** Gets a version ready to play from a second without a delay, as long as no other one is prepared. */
export const prepareSound = (version: Version, second: number) => {
  const { url, at_seconds } = sourceOf(version, second)
  audio.prepare(url, at_seconds)
}

/** Chooses a version without a request: it is ready at `at_seconds`, silent, until `startSound`. */
export const cue = (version: Version | undefined, at_seconds = version ? startOf(version) : 0) => {
  unloadAudio()
  currentVersion = version
  cuedAt = at_seconds
  emitPosition()
}

/** Chooses a version and plays it from `at_seconds`, or from its start position. */
export const playSound = (version: Version, at_seconds = startOf(version)) => {
  currentVersion = version
  retriedAt = undefined
  loadSource(at_seconds)
  startSound()
}

/** Continues the chosen version at its position, also after an error. */
export const startSound = () => {
  if (!currentVersion) return
  isPlayRequested = true
  if (cuedAt !== undefined || audio.error) {
    retriedAt = undefined
    loadSource(soundPosition())
  }
  audio.play().catch(onPlayRejected)
}

export const pauseSound = () => {
  isPlayRequested = false
  clearTimeout(retryTimer)
  audio.pause()
}

const isLoaded = () => cuedAt === undefined && Number.isFinite(audio.duration) && audio.duration > 0

/** Seconds into the chosen song, also while a clip of it plays. */
export const soundPosition = (): number => cuedAt ?? clipOffset + audio.currentTime

/** The length of the chosen song in seconds: as loaded; as in the catalogue before that, and for a clip. */
export const soundDuration = (): number =>
  isLoaded() && !isClip ? audio.duration : (currentVersion?.duration_seconds ?? 0)

/** The seconds of the chosen song that can be heard. */
export const soundRange = (): Range => {
  if (!currentVersion) return { from: 0, to: 0 }
  return isLoaded() ? { from: clipOffset, to: clipOffset + audio.duration } : audibleRange(currentVersion)
}

/** Seeks to a second of the song, limited to what can be heard. Neither starts nor stops playback. */
export const seekSound = (seconds: number) => {
  if (!currentVersion) return
  const { from, to } = soundRange()
  const at = Math.min(Math.max(from, seconds), to)
  if (cuedAt === undefined) audio.currentTime = Math.max(0, at - clipOffset)
  else cuedAt = at
  emitPosition()
}

export const setLevel = (next: { volume: number; muted: boolean }) => {
  level = next
  const isLoudnessEven = usePreferences.getState().loudness === 'even'
  const gain = isLoudnessEven ? fromDecibels(loudnessGain(currentVersion?.loudness_lufs ?? null)) : 1
  audio.setVolume(next.volume * gain, next.muted)
}

/** Reports the events of the element; called once, by the store. */
export const subscribeToAudio = (events: SoundEvents) => {
  audio.addEventListener('play', events.onStarted)
  audio.addEventListener('pause', events.onPaused)
  audio.addEventListener('waiting', () => events.waiting(true))
  for (const name of ['playing', 'canplay', 'pause', 'emptied'])
    audio.addEventListener(name, () => events.waiting(false))
  audio.addEventListener('timeupdate', () => {
    if (retriedAt !== undefined && soundPosition() > retriedAt + 1) retriedAt = undefined
  })
  audio.addEventListener('ended', events.onEnded)
  audio.addEventListener('error', () => retryOnce(events.onFailed))
  audio.addEventListener('play', () => watchForStalls(events.onFailed))
  // Arriving data and seeking restart the stall check.
  for (const name of ['progress', 'seeking', 'emptied']) audio.addEventListener(name, resetStallCheck)
  addEventListener('online', () => {
    if (isPlayRequested && (audio.error || cuedAt !== undefined)) startSound()
  })
  // A visitor who signs in while a clip plays hears the whole song from there on.
  useSession.subscribe((now, before) => {
    if (!now.profile?.media_key || before.profile?.media_key) return
    reloadSource(soundPosition())
    emitPosition()
  })
  usePreferences.subscribe((now, before) => {
    if (now.loudness !== before.loudness) setLevel(level)
  })
}

const loadSource = (at_seconds: number) => {
  if (!currentVersion) return
  clearTimeout(retryTimer)
  cuedAt = undefined
  const source = sourceOf(currentVersion, at_seconds)
  isClip = source.isClip
  clipOffset = source.from_seconds
  audio.load(source.url, source.at_seconds)
  setLevel(level)
}

/**
 * After a network error, requests the audio once more at the same position with a new URL; after that it reports the
 * error.
 */
const retryOnce = (onFailed: SoundEvents['onFailed']) => {
  if (!currentVersion || cuedAt !== undefined) return
  const at_seconds = soundPosition()
  if (retriedAt !== undefined) return stopAndReport(at_seconds, onFailed)
  retriedAt = at_seconds
  retryTimer = setTimeout(() => reloadSource(at_seconds), RETRY_AFTER_MS)
}

/**
 * Stops at the current position: playback continues from there when the listener, or a restored connection, starts it.
 */
const stopAndReport = (at_seconds: number, onFailed: SoundEvents['onFailed']) => {
  const wasWanted = isPlayRequested
  unloadAudio()
  cuedAt = at_seconds
  isPlayRequested = wasWanted
  onFailed(navigator.onLine ? LOAD_FAILED_MESSAGE : OFFLINE_MESSAGE)
}

/**
 * Checks every second whether playing audio progresses: an element may stall without an error. It counts checks rather
 * than time: timers of a background page or after sleep are late, which says nothing about the audio.
 */
const watchForStalls = (onFailed: SoundEvents['onFailed']) => {
  clearInterval(stallTimer)
  resetStallCheck()
  stallTimer = setInterval(() => {
    if (audio.paused || audio.error) return clearInterval(stallTimer)
    if (audio.currentTime !== lastPosition) return resetStallCheck()
    if (isAskingServer || ++stallTicks < (audio.readyState ? MAX_STALL_TICKS : MAX_LOADING_TICKS)) return
    void retryUnlessGenerating(onFailed)
  }, WATCH_MS)
}

/** Music that is still being generated may take longer on a busy server: then the element waits on. */
const retryUnlessGenerating = async (onFailed: SoundEvents['onFailed']) => {
  isAskingServer = true
  const isWorthWaiting = await isGenerating(audio.loadedUrl)
  isAskingServer = false
  // Data may have arrived by now, another song may have been chosen, or an error may have caused the retry already.
  const isStalled = stallTicks > 0 && !audio.paused && !audio.error
  resetStallCheck()
  if (isStalled && !isWorthWaiting) retryOnce(onFailed)
}

const resetStallCheck = () => {
  lastPosition = audio.currentTime
  stallTicks = 0
}

const reloadSource = (at_seconds: number) => {
  if (cuedAt !== undefined) return
  loadSource(at_seconds)
  if (isPlayRequested) audio.play().catch(onPlayRejected)
}

const unloadAudio = () => {
  isPlayRequested = false
  clearTimeout(retryTimer)
  if (cuedAt !== undefined || !currentVersion) return
  audio.unload()
}

/**
 * A browser that requires a user gesture leaves the element paused; every other reason is also reported as an event.
 */
const onPlayRejected = (reason: unknown) => {
  if (reason instanceof DOMException && reason.name === 'NotAllowedError') audio.dispatchEvent(new Event('pause'))
}

const emitPosition = () => audio.dispatchEvent(new Event('timeupdate'))
