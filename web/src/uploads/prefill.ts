import { parseKey, parseTempo, type uploadedSongs, type uploads } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { FIELDS, type Field, type SongForm, type Values } from './songForm.ts'
import * as texts from './texts.ts'

type File = Pick<uploads.ContainerFile, 'tag' | 'analysis'>
type PrefilledValue = { value: Values[Field]; source: uploadedSongs.Source }

const isAnalysed = ({ analysis }: File) => analysis.state === 'done'

/** Two decimals at most; a measured value close to a whole number is rounded to it. */
const tempoOf = (bpm: number): string => String(Math.abs(bpm - Math.round(bpm)) < 0.06 ? Math.round(bpm) : round(bpm))
const round = (bpm: number) => Math.round(bpm * 100) / 100

const mostConfident = (files: File[], confidenceField: 'bpm_confidence' | 'key_confidence'): File | undefined =>
  files.filter(isAnalysed).sort((a, b) => b.analysis[confidenceField] - a.analysis[confidenceField])[0]

const fromTag = (value: Values[Field] | undefined): PrefilledValue | undefined =>
  value?.length ? { value, source: 'tag' } : undefined

const previewed = (value: string | undefined): PrefilledValue | undefined =>
  value ? { value, source: 'analysis' } : undefined

/** The first file's tag that has a value. */
const firstTag = <T>(files: File[], read: (tag: uploads.Tag) => T | null): T | undefined =>
  files.map(({ tag }) => read(tag)).find((message) => message !== null && message !== '') ?? undefined

/** The values that the files of a song suggest for each field: from their tags first, then from the analysis. */
const PREFILLERS: Record<Field, (files: File[]) => PrefilledValue | undefined> = {
  title: (files) => fromTag(firstTag(files, ({ title }) => title)),
  artist: (files) => fromTag(firstTag(files, ({ artist }) => artist)),
  year: (files) => fromTag(firstTag(files, ({ year }) => year && String(year))?.toString()),
  genres: (files) => fromTag(files.map(({ tag }) => tag.genre_ids).find((ids) => ids.length > 0)),
  bpm: (files) => {
    const message = firstTag(files, ({ bpm }) => bpm)
    const detectedBpm = mostConfident(files, 'bpm_confidence')?.analysis.bpm
    return fromTag(message ? tempoOf(message) : undefined) ?? previewed(detectedBpm ? tempoOf(detectedBpm) : undefined)
  },
  song_key: (files) =>
    fromTag(firstTag(files, ({ song_key }) => song_key)) ??
    previewed(mostConfident(files, 'key_confidence')?.analysis.song_key ?? undefined),
}

/** Only fields that were neither typed nor saved are filled in. */
const isFree = ({ typed, saved }: SongForm, field: Field) => !typed.includes(field) && !saved.includes(field)

/** The form with values from its files; the same object if nothing changes. */
export function prefillForm(form: SongForm, files: File[]): SongForm {
  const freeFields = FIELDS.filter((field) => isFree(form, field))
  const prefilledFields = freeFields.flatMap((field) => {
    const prefill = PREFILLERS[field](files)
    const isNew =
      prefill && (String(prefill.value) !== String(form.values[field]) || prefill.source !== form.sources[field])
    return isNew ? [[field, prefill] as const] : []
  })
  if (prefilledFields.length === 0) return form
  return {
    ...form,
    values: { ...form.values, ...Object.fromEntries(prefilledFields.map(([field, { value }]) => [field, value])) },
    sources: { ...form.sources, ...Object.fromEntries(prefilledFields.map(([field, { source }]) => [field, source])) },
  }
}

/** Below this confidence, a value should be checked. */
const CONFIDENCE_THRESHOLD = 0.8

/** Why a value may be wrong, and the alternatives, one click away each. */
export type FieldDoubt = { why: string; alternatives: string[] }

/** The doubt about the tempo in the form; undefined if the analysis agrees. */
export function tempoDoubt(typed: string, files: File[]): FieldDoubt | undefined {
  const analysis = mostConfident(files, 'bpm_confidence')?.analysis
  if (!analysis?.bpm) return undefined
  const { bpm, bpm_confidence, bpm_alternatives } = analysis
  const typedTempo = parseTempo(typed)
  const isSame = !!typedTempo && bpm >= typedTempo.min_bpm - 0.5 && bpm <= typedTempo.max_bpm + 0.5
  const isConfident = bpm_confidence >= CONFIDENCE_THRESHOLD
  if (isSame && isConfident) return undefined
  const others = [bpm, ...bpm_alternatives, bpm / 2, bpm * 2]
    .filter((candidate) => candidate >= 20 && candidate <= 400)
    .map(tempoOf)
  const alternatives = [...new Set(others)].filter((candidate) => candidate !== typed.trim()).slice(0, 5)
  return {
    why: doubtReason(isSame || !typedTempo, isConfident, format(texts.bpm, { bpm: tempoOf(bpm) })),
    alternatives,
  }
}

/** The same for the key. */
export function keyDoubt(typed: string, files: File[]): FieldDoubt | undefined {
  const analysis = mostConfident(files, 'key_confidence')?.analysis
  const key = analysis?.song_key && parseKey(analysis.song_key)
  if (!key) return undefined
  const typedTempo = parseKey(typed)
  const isConfident = analysis.key_confidence >= CONFIDENCE_THRESHOLD
  if (typedTempo === key && isConfident) return undefined
  const message = firstTag(files, ({ song_key }) => song_key)
  const others = [key, message && parseKey(message)].filter((candidate) => candidate !== undefined && candidate !== '')
  const alternatives = [...new Set(others)].filter((candidate) => candidate !== typedTempo)
  return { why: doubtReason(typedTempo === key || !typedTempo, isConfident, key), alternatives }
}

function doubtReason(isSame: boolean, isConfident: boolean, detectedBpm: string): string {
  if (isSame)
    return isConfident
      ? format(texts.detected, { measured: detectedBpm })
      : format(texts.detectedLowConfidence, { measured: detectedBpm })
  return isConfident
    ? format(texts.detectedInstead, { measured: detectedBpm })
    : format(texts.detectedInsteadLowConfidence, { measured: detectedBpm })
}
