import { audio, pauseSound, startSound } from '../audio.ts'
import { currentEntry, usePlayer } from '../store.ts'
import { type BlendGraph, playBlend } from './blendGraph.ts'
import { type BlendFailure, useBlend } from './blendStore.ts'
import { pauseOtherTabs } from './otherTabs.ts'
import { type BlendSongs, type PreparedBlend, prepareBlend } from './prepareBlend.ts'

/** Between the press and the sound: enough to schedule everything before its time. */
const START_SECONDS = 0.05
/** After this, a browser that does not start the sound has blocked it. */
const BLOCKED_AFTER_MS = 2_000
/** A context that is not used costs power. */
const SUSPEND_AFTER_MS = 5_000

const { getState: state, setState: set } = useBlend

let context: AudioContext | undefined
let suspendTimer: ReturnType<typeof setTimeout> | undefined
let graph: BlendGraph | undefined
/** Whether the player played before the blend. */
let wasPlaying = false
let resumeOtherTabs = () => {}
/** Another one for each blend: what was requested for an earlier one is ignored. */
let current = {}

/** Loads what a blend needs. Nothing is heard; returns why the songs cannot be blended, if so. */
export async function preloadBlend(songs: BlendSongs) {
  const prepared = await prepareBlend(songs).catch(() => undefined)
  return typeof prepared === 'string' ? failureOf(songs, prepared) : undefined
}

const failureOf = ({ outgoing, incoming }: BlendSongs, reason: BlendFailure['reason']) => ({
  songId: incoming.song.entity_id,
  reason,
  outgoing: outgoing.song.title,
})

/** Starts the audio system. Browsers only allow it during a press of the pointer or a key. */
export function wakeAudio(): void {
  clearTimeout(suspendTimer)
  context ??= new AudioContext({ latencyHint: 'interactive' })
  if (context.state !== 'running') context.resume().catch(() => undefined)
}

/** Mixes a song into another one until `stopBlend`, or to its end. */
export async function startBlend(songs: BlendSongs): Promise<void> {
  // The player stays paused between two blends.
  silence()
  const own = {}
  current = own
  const songId = songs.incoming.song.entity_id
  set({ active: { songId, state: 'loading' } })
  wakeAudio()
  const fail = (reason: BlendFailure['reason']) => {
    if (own !== current) return
    set({ active: { ...failureOf(songs, reason), state: 'failed' } })
    resumePlayer()
  }
  try {
    const prepared = await prepareBlend(songs)
    if (typeof prepared === 'string') return fail(prepared)
    if (!(await isAudioRunning())) return fail('blocked')
    if (own === current) play(prepared, songId)
  } catch {
    fail(navigator.onLine ? 'failed' : 'offline')
  }
}

/** Waits for the audio system; false if the browser blocks it. */
async function isAudioRunning(): Promise<boolean> {
  const isRunning = () => context?.state === 'running'
  if (isRunning()) return true
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, BLOCKED_AFTER_MS)
  })
  await Promise.race([context?.resume(), late])
  clearTimeout(timer)
  return isRunning()
}

function play({ plan, sounds }: PreparedBlend, songId: number): void {
  if (!context) return
  const { muted, volume } = usePlayer.getState()
  if (!audio.paused) {
    wasPlaying = true
    pauseSound()
  }
  resumeOtherTabs = pauseOtherTabs()
  graph = playBlend(context, {
    plan,
    sounds,
    startAt: context.currentTime + START_SECONDS,
    volume: muted ? 0 : volume,
    onEnded: stopBlend,
  })
  set({ active: { songId, state: 'playing', seconds: plan.seconds, tempo: plan.tempo } })
}

/** Ends the blend. The song that played before continues where it was. The message of a failed blend stays. */
export function stopBlend(): void {
  silence()
  resumePlayer()
}

function silence(): void {
  current = {}
  if (state().active?.state !== 'failed') set({ active: undefined })
  if (!graph) return
  graph.stop()
  graph = undefined
  resumeOtherTabs()
  clearTimeout(suspendTimer)
  suspendTimer = setTimeout(() => void context?.suspend(), SUSPEND_AFTER_MS)
}

function resumePlayer(): void {
  if (wasPlaying && audio.paused) startSound()
  wasPlaying = false
}

/** Something else is played, or chosen: by a key, a media key or another row. */
function giveWay(): void {
  if (!graph) return
  silence()
  wasPlaying = false
}

audio.addEventListener('play', giveWay)

usePlayer.subscribe((now, before) => {
  if (now.volume !== before.volume || now.muted !== before.muted) graph?.setVolume(now.muted ? 0 : now.volume)
  if (currentEntry(now) !== currentEntry(before)) giveWay()
})
