import { MIN_CODES, SILENT } from './fingerprint.ts'

/** How similar two fingerprints are at the offset where they match best. */
export type Alignment = {
  /** Share of equal bits where both have sound: 0.5 is chance, 1 is identical. */
  similarity: number
  /** By how many codes the same sound comes later in the other fingerprint. */
  offset: number
}

/** How many offsets are compared: the ones with most votes and their neighbours. */
const MAX_OFFSETS = 6
/** A code that occurs more often than this (a sustained tone, a loop) says nothing about the offset. */
const MAX_POSITIONS = 64
/** A vote needs the upper 20 bits to be equal: shorter than a search key, since here a wrong vote costs nothing. */
const VOTE_SHIFT = 12

/** Bits by which two codes differ that have nothing in common. */
const CHANCE_BITS = 16

/** By how many bits two codes differ, 0 to 32; silence differs from sound like two sounds with nothing in common. */
export function differingBits(one: number, other: number): number {
  if (one === SILENT || other === SILENT) return one === other ? 0 : CHANCE_BITS
  return setBits(one ^ other)
}

/** Set bits of a 32-bit word. Source: Henry S. Warren, Hacker's Delight, 5–1. */
function setBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function positionsByCode(codes: Int32Array): Map<number, number[]> {
  const positions = new Map<number, number[]>()
  codes.forEach((code, i) => {
    if (code === SILENT) return
    const at = positions.get(code >>> VOTE_SHIFT)
    if (at) at.push(i)
    else positions.set(code >>> VOTE_SHIFT, [i])
  })
  return positions
}

/**
 * The offsets at which most codes match, each with its neighbours. A code that occurs several times shares its vote
 * between its positions.
 */
function likelyOffsets(one: Int32Array, other: Int32Array): Set<number> {
  const positions = positionsByCode(one)
  const votes = new Map<number, number>()
  other.forEach((code, j) => {
    if (code === SILENT) return
    const at = positions.get(code >>> VOTE_SHIFT)
    if (!at || at.length > MAX_POSITIONS) return
    for (const i of at) votes.set(j - i, (votes.get(j - i) ?? 0) + 1 / at.length)
  })
  const best = [...votes].sort((a, b) => b[1] - a[1]).slice(0, MAX_OFFSETS)
  return new Set(best.flatMap(([offset]) => [offset - 1, offset, offset + 1]))
}

/**
 * Share of equal bits at one offset. Undefined when both have sound together for less than ten seconds or less than
 * half of the shorter one.
 */
function similarityAt(one: Int32Array, other: Int32Array, offset: number): number | undefined {
  const from = Math.max(0, -offset)
  const to = Math.min(one.length, other.length - offset)
  let compared = 0
  let errors = 0
  for (let i = from; i < to; i++) {
    const a = one[i]!
    const b = other[i + offset]!
    if (a === SILENT || b === SILENT) continue
    compared++
    errors += setBits(a ^ b)
  }
  const minOverlap = Math.max(MIN_CODES, Math.min(one.length, other.length) / 2)
  return compared < minOverlap ? undefined : 1 - errors / (compared * 32)
}

/** Where `other` matches `one` best, and how well. Undefined when no offset has any support. */
export function align(one: Int32Array, other: Int32Array): Alignment | undefined {
  let best: Alignment | undefined
  for (const offset of likelyOffsets(one, other)) {
    const similarity = similarityAt(one, other, offset)
    if (similarity !== undefined && similarity > (best?.similarity ?? 0)) best = { similarity, offset }
  }
  return best
}
