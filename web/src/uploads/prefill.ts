import { parseKey, readTempo, type uploadedSongs, type uploads } from '@dubplate/contract'
import { format } from '../platform/message.ts'
import { FIELDS, type Field, type SongForm, type Values } from './songForm.ts'
import * as texts from './texts.ts'

type File = Pick<uploads.ContainerFile, 'tag' | 'analysis'>
type Found = { value: Values[Field]; source: uploadedSongs.Source }

const isHeard = ({ analysis }: File) => analysis.state === 'done'

/** Two decimals at most; what was measured next to a whole number is that number. */
const tempoOf = (bpm: number): string => String(Math.abs(bpm - Math.round(bpm)) < 0.06 ? Math.round(bpm) : round(bpm))
const round = (bpm: number) => Math.round(bpm * 100) / 100

const surest = (files: File[], by: 'bpm_confidence' | 'key_confidence'): File | undefined =>
  files.filter(isHeard).sort((a, b) => b.analysis[by] - a.analysis[by])[0]

const tagged = (value: Values[Field] | undefined): Found | undefined =>
  value?.length ? { value, source: 'tag' } : undefined

const heard = (value: string | undefined): Found | undefined => (value ? { value, source: 'analysis' } : undefined)

/** The first file whose tag says something. */
const firstTag = <T>(files: File[], read: (tag: uploads.Tag) => T | null): T | undefined =>
  files.map(({ tag }) => read(tag)).find((said) => said !== null && said !== '') ?? undefined

/** What the files of a song say a field should be: their tags first, then what was measured. */
const FOUND: Record<Field, (files: File[]) => Found | undefined> = {
  title: (files) => tagged(firstTag(files, ({ title }) => title)),
  artist: (files) => tagged(firstTag(files, ({ artist }) => artist)),
  year: (files) => tagged(firstTag(files, ({ year }) => year && String(year))?.toString()),
  genres: (files) => tagged(files.map(({ tag }) => tag.genre_ids).find((ids) => ids.length > 0)),
  bpm: (files) => {
    const said = firstTag(files, ({ bpm }) => bpm)
    const measured = surest(files, 'bpm_confidence')?.analysis.bpm
    return tagged(said ? tempoOf(said) : undefined) ?? heard(measured ? tempoOf(measured) : undefined)
  },
  song_key: (files) =>
    tagged(firstTag(files, ({ song_key }) => song_key)) ??
    heard(surest(files, 'key_confidence')?.analysis.song_key ?? undefined),
}

/** Only what nobody typed and nobody saved is filled in. */
const isFree = ({ typed, saved }: SongForm, field: Field) => !typed.includes(field) && !saved.includes(field)

/** The form with what its files say filled in; the same form where they say nothing new. */
export function prefilled(form: SongForm, files: File[]): SongForm {
  const free = FIELDS.filter((field) => isFree(form, field))
  const found = free.flatMap((field) => {
    const it = FOUND[field](files)
    const isNew = it && (String(it.value) !== String(form.values[field]) || it.source !== form.sources[field])
    return isNew ? [[field, it] as const] : []
  })
  if (found.length === 0) return form
  return {
    ...form,
    values: { ...form.values, ...Object.fromEntries(found.map(([field, { value }]) => [field, value])) },
    sources: { ...form.sources, ...Object.fromEntries(found.map(([field, { source }]) => [field, source])) },
  }
}

/** Less sure than this and somebody should look. */
const SURE = 0.8

/** Why a value may be wrong, and what it may be instead, one press away each. */
export type Doubt = { why: string; instead: string[] }

/** What the analysis makes of the tempo in the form; undefined where it has nothing against it. */
export function tempoDoubt(typed: string, files: File[]): Doubt | undefined {
  const analysis = surest(files, 'bpm_confidence')?.analysis
  if (!analysis?.bpm) return undefined
  const { bpm, bpm_confidence, bpm_alternatives } = analysis
  const written = readTempo(typed)
  const isSame = !!written && bpm >= written.min_bpm - 0.5 && bpm <= written.max_bpm + 0.5
  const isSure = bpm_confidence >= SURE
  if (isSame && isSure) return undefined
  const others = [bpm, ...bpm_alternatives, bpm / 2, bpm * 2]
    .filter((other) => other >= 20 && other <= 400)
    .map(tempoOf)
  const instead = [...new Set(others)].filter((other) => other !== typed.trim()).slice(0, 5)
  return { why: whyDoubted(isSame || !written, isSure, format(texts.bpm, { bpm: tempoOf(bpm) })), instead }
}

/** The same for the key. */
export function keyDoubt(typed: string, files: File[]): Doubt | undefined {
  const analysis = surest(files, 'key_confidence')?.analysis
  const key = analysis?.song_key && parseKey(analysis.song_key)
  if (!key) return undefined
  const written = parseKey(typed)
  const isSure = analysis.key_confidence >= SURE
  if (written === key && isSure) return undefined
  const said = firstTag(files, ({ song_key }) => song_key)
  const others = [key, said && parseKey(said)].filter((other) => other !== undefined && other !== '')
  const instead = [...new Set(others)].filter((other) => other !== written)
  return { why: whyDoubted(written === key || !written, isSure, key), instead }
}

function whyDoubted(isSame: boolean, isSure: boolean, measured: string): string {
  if (isSame) return isSure ? `Detected: ${measured}` : format(texts.detectedLowConfidence, { measured })
  return isSure ? format(texts.detectedInstead, { measured }) : format(texts.detectedInsteadLowConfidence, { measured })
}
