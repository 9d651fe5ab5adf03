import type { Structure } from '../audio-files/integrity.ts'
import { defaultSpeakers, type Speaker } from '../audio-files/speakers.ts'

/** How the channels of a file are measured and mixed. */
export type ChannelLayout = {
  channels: number
  /** The factor of each channel's energy in the loudness. */
  weights: readonly number[]
  /** Returns one channel of a mono file, otherwise two: stereo as it is, more channels mixed. */
  toStereo: (channels: Float32Array[]) => Float32Array[]
}

/** Mono or stereo. */
export const plainLayout = (channels: 1 | 2): ChannelLayout => ({
  ...{ channels, weights: channels === 1 ? [1] : [1, 1] },
  toStereo: (block) => block,
})

/** Returns the channels of a block. A block that changes to mono in the middle of a file is used for all of them. */
export const completeChannels = (block: Float32Array[], { channels }: ChannelLayout): Float32Array[] =>
  Array.from({ length: channels }, (_, n) => block[n] ?? block[0]!)

/** ITU-R BS.1770-4, annex 1 and table 4: surrounds at 60° to 120° count for more, the low-frequency channel not at all. */
const SURROUND_WEIGHT = 1.41
/** −3 dB. */
const HALF_POWER = Math.SQRT1_2

/** Returns the layout of a file whose first decoded block has this many channels. */
export function channelLayout(structure: Structure, channels: number): ChannelLayout {
  if (channels <= 2) return plainLayout(channels === 1 ? 1 : 2)
  const speakers = speakersOf(structure, channels)
  return {
    channels,
    weights: Array.from({ length: channels }, (_, n) => weightOf(speakers, n)),
    toStereo: createDownmix(speakers, channels),
  }
}

function declaredSpeakers(structure: Structure): readonly Speaker[] | undefined {
  if ('speakers' in structure) return structure.speakers
  return structure.format === 'wav' || structure.format === 'aiff' ? structure.layout?.speakers : undefined
}

function speakersOf(structure: Structure, channels: number): readonly Speaker[] {
  const declared = declaredSpeakers(structure)
  return declared?.length === channels ? declared : defaultSpeakers(channels)
}

/** The back pair stands where the surrounds of 5.1 do, unless there is a side pair as well. */
function weightOf(speakers: readonly Speaker[], n: number): number {
  const speaker = speakers[n]
  if (speaker === 'LFE') return 0
  if (speaker === 'SL' || speaker === 'SR') return SURROUND_WEIGHT
  return (speaker === 'BL' || speaker === 'BR') && !speakers.includes('SL') ? SURROUND_WEIGHT : 1
}

type Gains = readonly [left: number, right: number]

/** ITU-R BS.775-3, annex 4: centre and surrounds at −3 dB; channels in the middle go to both sides. */
function gainsOf(speaker: Speaker | undefined, n: number): Gains {
  if (speaker === 'LFE') return [0, 0]
  if (speaker === 'FL') return [1, 0]
  if (speaker === 'FR') return [0, 1]
  if (speaker === undefined) return n % 2 === 0 ? [1, 0] : [0, 1]
  if (speaker === 'BC' || speaker === 'TC' || speaker === 'TBC') return [0.5, 0.5]
  if (speaker === 'FC' || speaker === 'TFC') return [HALF_POWER, HALF_POWER]
  const isLeft = /L/.test(speaker)
  return isLeft ? [HALF_POWER, 0] : [0, HALF_POWER]
}

/** Mixes to stereo. Divided by the sum of the gains, so that it cannot clip. */
function createDownmix(speakers: readonly Speaker[], count: number): ChannelLayout['toStereo'] {
  const gains = Array.from({ length: count }, (_, n) => gainsOf(speakers[n], n))
  const sums = [0, 1].map((side) => gains.reduce((sum, gain) => sum + gain[side]!, 0))
  const scale = 1 / Math.max(...sums)
  return (channels) =>
    [0, 1].map((side) => {
      const mixed = new Float32Array(channels[0]!.length)
      channels.forEach((samples, n) => {
        const gain = (gains[n]?.[side] ?? 0) * scale
        if (gain > 0) for (let i = 0; i < mixed.length; i++) mixed[i]! += samples[i]! * gain
      })
      return mixed
    })
}
