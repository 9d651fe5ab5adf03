import type { catalogue } from '@dubplate/contract'
import { previewUrl } from '../platform/media.ts'
import { usePreferences } from '../platform/preferences.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import * as texts from './texts.ts'

type Version = catalogue.Version

/** The one audio element of the page. It lives outside React, so nothing that renders can stop the music. */
export const audio: HTMLAudioElement = new Audio()

const TARGET_LUFS = -14
const MOST_CUT_DB = -12
const CLIP_SECONDS = 30
const RETRY_AFTER_MS = 800
const WATCH_MS = 1_000
/** So many looks in a row at which nothing moved and nothing arrived: then the sound hangs. */
const STILL_LOOKS = 6
/** The same while the server has not answered yet: it may be making the preview. */
const SILENT_LOOKS = 20
const NOT_LOADED = texts.couldntLoadThisPreviewTry
const OFFLINE = texts.couldntLoadThisPreviewBecause

/** What the store is told. `failed` gets the sentence to show. */
type SoundEvents = {
  started: () => void
  paused: () => void
  waiting: (waits: boolean) => void
  ended: () => void
  failed: (sentence: string) => void
}

let chosen: Version | undefined
/** Where the chosen version will start. Until it is asked to sound the server is not asked for it at all. */
let restsAt: number | undefined
let wanted = false
/** Added to the element's time this is the second of the whole version: what is loaded may be a clip out of it. */
let ahead = 0
/** The second at which the sound failed and was asked for again; undefined once it has played on from there. */
let retriedAt: number | undefined
let retryTimer: ReturnType<typeof setTimeout> | undefined
let level = { volume: 1, muted: false }
let watch: ReturnType<typeof setInterval> | undefined
let seenAt = 0
let stillLooks = 0

/**
 * Where a version begins to play: there where its preview begins best. A visitor's clip is cut there, and so begins at 0.
 * A version saved by an older page has no such place.
 */
export const startOf = (version: Version): number => (isSignedIn() ? previewStart(version) : 0)

/** The second at which the preview, and a visitor's clip, begin. */
export const previewStart = ({ preview_start_seconds, duration_seconds }: Version): number =>
  preview_start_seconds < duration_seconds ? preview_start_seconds : 0

/** Chooses a version without a request: it stands at `at_seconds`, silent, until `startSound`. */
export const restSound = (version: Version | undefined, at_seconds = version ? startOf(version) : 0) => {
  silence()
  chosen = version
  restsAt = at_seconds
  tellPosition()
}

/** Chooses a version and plays it from `at_seconds`, or from where it begins. */
export const playSound = (version: Version, at_seconds = startOf(version)) => {
  chosen = version
  retriedAt = undefined
  aim(at_seconds)
  startSound()
}

/** Goes on with the chosen version where it stands, also after it failed. */
export const startSound = () => {
  if (!chosen) return
  wanted = true
  if (restsAt !== undefined || audio.error) {
    retriedAt = undefined
    aim(soundPosition())
  }
  audio.play().catch(whyNot)
}

export const pauseSound = () => {
  wanted = false
  clearTimeout(retryTimer)
  audio.pause()
}

/** Seconds into the chosen version. */
export const soundPosition = (): number => restsAt ?? audio.currentTime

/**
 * Seconds of the chosen version that can be heard: as loaded, and before that what the catalogue says of it. A visitor
 * is given a clip of 30 s.
 */
export const soundDuration = (): number => {
  if (restsAt === undefined && Number.isFinite(audio.duration) && audio.duration > 0) return audio.duration
  return chosen ? audibleSeconds(chosen) : 0
}

/** A second of the whole version as a place in what is heard of it; a clip without it is heard from its beginning. */
export const secondIn = (version: Version, second: number): number => {
  const place = isSignedIn() ? second : second - previewStart(version)
  return place >= 0 && place < audibleSeconds(version) ? place : startOf(version)
}

const audibleSeconds = (version: Version) =>
  isSignedIn() ? version.duration_seconds : Math.min(CLIP_SECONDS, version.duration_seconds - previewStart(version))

/** Moves to a second, kept within the version. Neither starts nor stops the sound. */
export const seekSound = (seconds: number) => {
  if (!chosen) return
  const to = Math.min(Math.max(0, seconds), soundDuration())
  if (restsAt === undefined) audio.currentTime = to
  else restsAt = to
  tellPosition()
}

export const setLevel = (next: { volume: number; muted: boolean }) => {
  level = next
  const isEven = usePreferences.getState().loudness === 'even'
  audio.volume = next.volume * (isEven ? 10 ** (levellingGain(chosen?.loudness_lufs ?? null) / 20) : 1)
  audio.muted = next.muted
}

/**
 * The gain in dB that brings a version to -14 LUFS, the level streaming services agree on (AES TD1008); a step of one LU
 * is one dB (ITU-R BS.1770). It only ever cuts, by 12 dB at most: a quiet version would need a boost that an element
 * cannot give without clipping.
 */
export const levellingGain = (loudness_lufs: number | null): number =>
  loudness_lufs === null ? 0 : Math.max(MOST_CUT_DB, Math.min(0, TARGET_LUFS - loudness_lufs))

/** Reports what the element does; called once, by the store. */
export const followSound = (events: SoundEvents) => {
  audio.addEventListener('play', events.started)
  audio.addEventListener('pause', events.paused)
  audio.addEventListener('waiting', () => events.waiting(true))
  for (const name of ['playing', 'canplay', 'pause', 'emptied'])
    audio.addEventListener(name, () => events.waiting(false))
  audio.addEventListener('timeupdate', () => {
    if (retriedAt !== undefined && audio.currentTime > retriedAt + 1) retriedAt = undefined
  })
  audio.addEventListener('ended', events.ended)
  audio.addEventListener('error', () => retryOnce(events.failed))
  audio.addEventListener('play', () => watchSound(events.failed))
  // What still arrives, or was just sought, is waited for.
  for (const name of ['progress', 'seeking', 'emptied']) audio.addEventListener(name, lookAnew)
  addEventListener('online', () => {
    if (wanted && (audio.error || restsAt !== undefined)) startSound()
  })
  // A visitor who signs in while a clip plays hears the whole song from there on.
  useSession.subscribe((now, before) => {
    if (!now.profile?.media_key || before.profile?.media_key) return
    if (restsAt === undefined) aimAgain(audio.currentTime + ahead)
    else if (!before.token && chosen) restsAt += previewStart(chosen)
  })
  usePreferences.subscribe((now, before) => {
    if (now.loudness !== before.loudness) setLevel(level)
  })
}

const aim = (at_seconds: number) => {
  if (!chosen) return
  clearTimeout(retryTimer)
  restsAt = undefined
  audio.preload = 'auto'
  audio.src = previewUrl(chosen)
  const isWhole = Boolean(useSession.getState().profile?.media_key)
  // Before the metadata is there this is where playback will begin. A place past the end is one left in a longer clip,
  // and of somebody whose key is still on its way a clip is heard until it comes.
  const canReach = (isWhole || !isSignedIn()) && at_seconds < audibleSeconds(chosen)
  audio.currentTime = canReach ? at_seconds : 0
  ahead = isWhole ? 0 : isSignedIn() ? at_seconds : previewStart(chosen)
  setLevel(level)
}

/** A network that failed for a moment is asked again at the same position, with a fresh address; then it is said. */
const retryOnce = (failed: SoundEvents['failed']) => {
  if (!chosen || restsAt !== undefined) return
  const at_seconds = audio.currentTime
  if (retriedAt !== undefined) return giveUp(at_seconds, failed)
  retriedAt = at_seconds
  retryTimer = setTimeout(() => aimAgain(at_seconds), RETRY_AFTER_MS)
}

/** Rests where it stood: asked for again it starts from there, by whoever listens or by the network's return. */
const giveUp = (at_seconds: number, failed: SoundEvents['failed']) => {
  const isWanted = wanted
  silence()
  restsAt = at_seconds
  wanted = isWanted
  failed(navigator.onLine ? NOT_LOADED : OFFLINE)
}

/**
 * Looks each second whether a sound that runs moves on: an element may hang without an error. Looks are counted, not
 * time: the timers of a page in the background or of a machine that slept come late, and say nothing about the sound.
 */
const watchSound = (failed: SoundEvents['failed']) => {
  clearInterval(watch)
  lookAnew()
  watch = setInterval(() => {
    if (audio.paused || audio.error) return clearInterval(watch)
    if (audio.currentTime !== seenAt) return lookAnew()
    if (++stillLooks < (audio.readyState ? STILL_LOOKS : SILENT_LOOKS)) return
    lookAnew()
    retryOnce(failed)
  }, WATCH_MS)
}

const lookAnew = () => {
  seenAt = audio.currentTime
  stillLooks = 0
}

const aimAgain = (at_seconds: number) => {
  if (restsAt !== undefined) return
  aim(at_seconds)
  if (wanted) audio.play().catch(whyNot)
}

const silence = () => {
  wanted = false
  clearTimeout(retryTimer)
  if (restsAt !== undefined || !chosen) return
  audio.pause()
  audio.removeAttribute('src')
  audio.load()
}

/** A browser that wants a gesture first leaves the element paused; every other reason also arrives as an event. */
const whyNot = (reason: unknown) => {
  if (reason instanceof DOMException && reason.name === 'NotAllowedError') audio.dispatchEvent(new Event('pause'))
}

const tellPosition = () => audio.dispatchEvent(new Event('timeupdate'))
