import { audio } from '../player/audio.ts'
import type { Beat } from '../player/beatGrid.ts'
import { playerActions, usePlayer } from '../player/store.ts'

/** Enough to hear beats exactly, in a third less memory than 48 kHz. */
const SAMPLE_RATE = 32_000
/** Decoded, a longer file would take hundreds of megabytes. */
export const LONGEST_SECONDS = 30 * 60
const LOOK_AHEAD_SECONDS = 0.2
const TICK_MS = 50
const CLICK = { seconds: 0.03, gain: 0.5, hertz: 1000, downbeatHertz: 1600 }

export type SoundState = 'stopped' | 'loading' | 'playing' | 'failed'

type Options = {
  url: string
  duration_seconds: number
  onState: (state: SoundState) => void
}

type BeatsBetween = (from_seconds: number, to_seconds: number) => Beat[]

export type GridSound = {
  /** The second of the file that is heard at this moment. */
  position: () => number
  isPlaying: () => boolean
  seek: (seconds: number) => void
  /** Sets the beats that get a click from now on. */
  setClicks: (beatsBetween: BeatsBetween) => void
  toggle: () => void
  close: () => void
}

/**
 * Plays a file with a click on each beat. The file is decoded as a whole: an audio element reports its position too
 * roughly for clicks that have to be right to a millisecond.
 */
export function createGridSound({ url, duration_seconds, onState }: Options): GridSound {
  let context: AudioContext | undefined
  let samples: AudioBuffer | undefined
  let playing: { source: AudioBufferSourceNode; output: GainNode; timer: ReturnType<typeof setInterval> } | undefined
  /** The time of the context at which the file would have begun. */
  let beganAt = 0
  let stoppedAt = 0
  let beatsBetween: BeatsBetween = () => []
  /** Changes when it is closed. */
  let opened = {}
  let isLoading = false

  const limit = (seconds: number) => Math.min(Math.max(0, seconds), duration_seconds)
  const position = () =>
    playing && context ? limit(context.currentTime - (context.outputLatency || 0) - beganAt) : stoppedAt

  const stop = () => {
    if (!playing) return
    stoppedAt = position()
    clearInterval(playing.timer)
    playing.source.onended = null
    playing.source.stop()
    // Also silences the clicks that are scheduled.
    playing.output.disconnect()
    playing = undefined
  }
  const pause = () => {
    stop()
    onState('stopped')
  }
  const start = (ready: AudioContext, buffer: AudioBuffer) => {
    const output = new GainNode(ready, { gain: usePlayer.getState().muted ? 0 : usePlayer.getState().volume })
    output.connect(ready.destination)
    const source = new AudioBufferSourceNode(ready, { buffer })
    source.connect(output)
    const startAt = ready.currentTime + 0.02
    beganAt = startAt - stoppedAt
    source.start(startAt, stoppedAt)
    source.onended = pause
    let clickedUntil = stoppedAt
    const schedule = () => {
      const until = ready.currentTime - beganAt + LOOK_AHEAD_SECONDS
      for (const beat of beatsBetween(clickedUntil, until)) click(output, beat, beganAt + beat.at_seconds)
      clickedUntil = Math.max(clickedUntil, until)
    }
    playing = { source, output, timer: setInterval(schedule, TICK_MS) }
    schedule()
    onState('playing')
  }
  const play = async () => {
    if (isLoading) return
    isLoading = true
    const own = opened
    onState('loading')
    try {
      if (usePlayer.getState().playing) playerActions.toggle()
      audio.addEventListener('play', pause)
      context ??= new AudioContext({ sampleRate: SAMPLE_RATE })
      const ready = context
      await ready.resume()
      const buffer = samples ?? (await loadSamples(url, ready))
      if (own === opened) {
        samples = buffer
        start(ready, buffer)
      }
    } catch {
      if (own === opened) onState('failed')
    }
    isLoading = false
  }
  return {
    position,
    isPlaying: () => playing !== undefined,
    seek: (seconds) => {
      const [ready, buffer] = [context, samples]
      const wasPlaying = playing !== undefined
      stop()
      stoppedAt = limit(seconds)
      if (wasPlaying && ready && buffer) start(ready, buffer)
    },
    setClicks: (next) => {
      beatsBetween = next
    },
    toggle: () => (playing ? pause() : void play()),
    close: () => {
      opened = {}
      audio.removeEventListener('play', pause)
      stop()
      void context?.close()
      context = undefined
      samples = undefined
    },
  }
}

/** The samples of a file, mixed to one channel. */
async function loadSamples(url: string, context: AudioContext): Promise<AudioBuffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  const decoded = await context.decodeAudioData(await response.arrayBuffer())
  if (decoded.numberOfChannels === 1) return decoded
  const mono = context.createBuffer(1, decoded.length, decoded.sampleRate)
  const mixed = mono.getChannelData(0)
  for (let channel = 0; channel < decoded.numberOfChannels; channel++) {
    const one = decoded.getChannelData(channel)
    for (let i = 0; i < mixed.length; i++) mixed[i]! += one[i]! / decoded.numberOfChannels
  }
  return mono
}

/** A short tone, higher on the one. */
function click(output: GainNode, { isDownbeat }: Beat, at: number) {
  const { context } = output
  const from = Math.max(at, context.currentTime)
  // It is over already: a look ahead that came late.
  if (from - at > CLICK.seconds) return
  const tone = new OscillatorNode(context, { frequency: isDownbeat ? CLICK.downbeatHertz : CLICK.hertz })
  const envelope = new GainNode(context, { gain: 0 })
  envelope.gain.setValueAtTime(CLICK.gain, from)
  envelope.gain.exponentialRampToValueAtTime(0.001, from + CLICK.seconds)
  tone.connect(envelope).connect(output)
  tone.start(from)
  tone.stop(from + CLICK.seconds)
}
