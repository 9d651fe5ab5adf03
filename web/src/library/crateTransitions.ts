import { isClash, type KeyRelation, library, parseKey, type Transition, transitionBetween } from '@dubplate/contract'
import { useMemo } from 'react'
import { create } from 'zustand'
import { formatKey, formatPitch } from '../catalogue/mixing.ts'
import { format } from '../format/message.ts'
import type { Notation } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import * as texts from './texts.ts'

const KEY = 'dubplate.crate-transitions'

function readChoice(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

/** Whether the transitions between songs are shown in this browser. */
export const useTransitionsShown = create(() => ({ isShown: readChoice() }))

export function showTransitions(isShown: boolean) {
  useTransitionsShown.setState({ isShown })
  try {
    localStorage.setItem(KEY, isShown ? 'on' : 'off')
  } catch {
    // Without storage the choice lasts until the page is reloaded.
  }
}

/** The transition to a song of the crate, with the keys of both songs. */
export type CrateTransition = Transition & { isClash: boolean; keys: [string | null, string | null] }

const NO_IDS: readonly number[] = []

/**
 * The transitions between the songs of the whole crate, by the id of the second song, in an order that may not have been
 * saved yet. Requested only while they are shown.
 */
export function useCrateTransitions(order: readonly number[] = NO_IDS, isShown: boolean) {
  const { data, error, refetch } = useApiQuery(library.crateTempos, {}, { enabled: isShown })
  return useMemo(() => {
    const songs = new Map(data?.songs.map((song) => [song.entity_id, song]))
    const transitions = new Map<number, CrateTransition>()
    let [seconds, before] = [0, songs.get(0)]
    for (const id of order) {
      const song = songs.get(id)
      if (song && before) {
        const transition = transitionBetween(before, song)
        const keys: CrateTransition['keys'] = [before.song_key, song.song_key]
        transitions.set(id, { ...transition, isClash: isClash(transition), keys })
      }
      seconds += song?.duration_seconds ?? 0
      before = song
    }
    const clashes = order.filter((id) => transitions.get(id)?.isClash)
    return { isLoaded: !!data, error, retry: () => void refetch(), transitions, clashes, seconds }
  }, [data, error, refetch, order])
}

const KEY_RELATIONS: Record<Exclude<KeyRelation, 'clash'>, string> = {
  same: texts.sameKey,
  relative: texts.relativeKey,
  step_up: texts.oneStepUp,
  step_down: texts.oneStepDown,
  two_steps_up: texts.twoStepsUp,
  two_steps_down: texts.twoStepsDown,
  semitone_up: texts.energyBoost,
}

/** What a transition changes, in short, and why it clashes: '8A → 9A · one step up', '+2.1 %', 'Keys clash'. */
export function describeTransition({ key, tempo, keys }: CrateTransition, notation: Notation) {
  const [from, to] = keys.map((each) => {
    const parsed = parseKey(each ?? '')
    return parsed ? formatKey(parsed, notation) : (each ?? '–')
  })
  const names = `${from} → ${to}`
  const changes = [
    key === null ? texts.keyNotKnown : key === 'clash' ? names : `${names} · ${KEY_RELATIONS[key]}`,
    ...(tempo === null ? [texts.tempoNotKnown] : tempo.is_clash ? [] : [pitchText(tempo)]),
  ]
  const clashes = [
    ...(key === 'clash' ? [texts.keysClash] : []),
    ...(tempo?.is_clash
      ? [atMultiple(tempo, format(texts.tempoDiffersBy, { percent: Math.round(Math.abs(tempo.percent)) }))]
      : []),
  ]
  return { changes, clashes }
}

type TempoChange = NonNullable<Transition['tempo']>

function pitchText(tempo: TempoChange): string {
  const percent = Math.round(tempo.percent * 10) / 10
  return atMultiple(tempo, percent === 0 ? texts.sameTempo : formatPitch(percent))
}

const atMultiple = ({ multiple }: TempoChange, change: string): string =>
  multiple === 'same' ? change : format(multiple === 'half' ? texts.atHalfTempo : texts.atDoubleTempo, { change })
