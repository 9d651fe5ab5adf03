import { BEATS_PER_BAR } from '../beatGrid.ts'
import { FADE_IN, FADE_OUT } from './gains.ts'
import type { BlendPlan, RateChange } from './planBlend.ts'

/** Below this, kick and bass line: only one of the two songs has them at a time. */
const BASS = { hertz: 200, cut_db: -26 }
/** The outgoing song starts this much before its first beat, so that fading it in does not soften the beat. */
const LEAD_SECONDS = 0.02
/** After the last bar, the incoming song fades out. */
const END_SECONDS = 0.6
const CUT_SECONDS = 0.02

/** The decoded part of a song. */
export type DecodedPart = {
  samples: AudioBuffer
  /** The second of the song at which it begins. */
  from_seconds: number
}

export type BlendSounds = Record<'outgoing' | 'incoming', DecodedPart & { gain: number }>

type GraphOptions = {
  plan: BlendPlan
  sounds: BlendSounds
  /** The time of the context at which the first beat is heard. */
  startAt: number
  volume: number
  /** Called when the blend has played to its end. */
  onEnded?: () => void
}

export type BlendGraph = { setVolume: (volume: number) => void; stop: () => void }

/**
 * Schedules a whole blend in advance, so that nothing depends on timers: both songs with their faders and bass, and the
 * rates that keep the beats together. Also used with an offline context, to measure what is heard.
 */
export function playBlend(
  context: BaseAudioContext,
  { plan, sounds, startAt, volume, onEnded }: GraphOptions,
): BlendGraph {
  const output = new GainNode(context, { gain: volume })
  const cut = new GainNode(context)
  output.connect(cut).connect(context.destination)
  const endAt = startAt + plan.seconds
  const [outgoing, incoming] = [
    createDeck(context, sounds.outgoing, output),
    createDeck(context, sounds.incoming, output),
  ]

  const lead = Math.min(
    LEAD_SECONDS,
    plan.outgoing.from_seconds - sounds.outgoing.from_seconds,
    startAt - context.currentTime,
  )
  outgoing.level.gain.setValueAtTime(0, startAt - lead)
  outgoing.level.gain.linearRampToValueAtTime(sounds.outgoing.gain, startAt - lead / 4)
  outgoing.fader.gain.setValueCurveAtTime(FADE_OUT, startAt, plan.seconds)
  outgoing.source.start(startAt - lead, plan.outgoing.from_seconds - lead - sounds.outgoing.from_seconds)
  outgoing.source.stop(endAt)

  incoming.level.gain.value = sounds.incoming.gain
  incoming.fader.gain.value = 0
  incoming.fader.gain.setValueCurveAtTime(FADE_IN, startAt, plan.seconds)
  incoming.fader.gain.linearRampToValueAtTime(0, endAt + END_SECONDS)
  setRates(incoming.source.playbackRate, plan.rates, startAt)
  incoming.source.start(startAt, plan.incoming.from_seconds - sounds.incoming.from_seconds)
  incoming.source.stop(endAt + END_SECONDS)
  if (onEnded) incoming.source.onended = onEnded

  swapBass(outgoing.bass.gain, incoming.bass.gain, { plan, startAt })
  return {
    setVolume: (next) => output.gain.setTargetAtTime(next, context.currentTime, CUT_SECONDS / 2),
    stop: () => {
      incoming.source.onended = null
      const now = context.currentTime
      cut.gain.setValueAtTime(1, now)
      cut.gain.linearRampToValueAtTime(0, now + CUT_SECONDS)
      for (const { source } of [outgoing, incoming]) source.stop(now + CUT_SECONDS)
    },
  }
}

/** A song on its way to the output: its bass, its fader and its level. */
function createDeck(context: BaseAudioContext, { samples }: DecodedPart, output: AudioNode) {
  const source = new AudioBufferSourceNode(context, { buffer: samples })
  const bass = new BiquadFilterNode(context, { type: 'lowshelf', frequency: BASS.hertz, gain: 0 })
  const [fader, level] = [new GainNode(context), new GainNode(context)]
  source.connect(bass).connect(fader).connect(level).connect(output)
  return { source, bass, fader, level }
}

/** Each rate counts from its moment on: without a ramp, the position in the song is exact at every beat. */
function setRates(playbackRate: AudioParam, rates: readonly RateChange[], startAt: number) {
  playbackRate.value = rates[0]?.rate ?? 1
  for (const { at_seconds, rate } of rates.slice(1)) playbackRate.setValueAtTime(rate, startAt + at_seconds)
}

/** In the beat before the middle of the blend, the incoming song takes over the bass. */
function swapBass(
  outgoing: AudioParam,
  incoming: AudioParam,
  { plan, startAt }: Pick<GraphOptions, 'plan' | 'startAt'>,
) {
  const middle = startAt + plan.seconds / 2
  const before = middle - plan.seconds / (plan.bars * BEATS_PER_BAR)
  incoming.value = BASS.cut_db
  incoming.setValueAtTime(BASS.cut_db, before)
  incoming.linearRampToValueAtTime(0, middle)
  outgoing.setValueAtTime(0, before)
  outgoing.linearRampToValueAtTime(BASS.cut_db, middle)
}
