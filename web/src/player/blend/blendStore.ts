import { create } from 'zustand'
import type { BlendTempo } from './planBlend.ts'
import type { BlendObstacle } from './prepareBlend.ts'

/** Why no blend is heard. */
export type BlendFailure = { reason: BlendObstacle | 'offline' | 'blocked'; outgoing: string }

type BlendStatus =
  | { state: 'loading' }
  | { state: 'playing'; seconds: number; tempo: BlendTempo }
  | ({ state: 'failed' } & BlendFailure)

type BlendState = {
  /** The blend that is heard, is loading or has failed. There is at most one. */
  active?: ({ songId: number } & BlendStatus) | undefined
  /** What loading ahead has found out: this song cannot be blended into. */
  checked?: ({ songId: number } & BlendFailure) | undefined
}

/** Blend previews, by the song that is blended into. */
export const useBlend = create<BlendState>(() => ({}))
