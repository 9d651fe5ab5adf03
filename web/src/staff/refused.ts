import { ApiError } from '../platform/api.ts'
import * as texts from './texts.ts'

/** Why something was not saved, in a sentence. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : texts.couldntSaveYourChangesTry

/** Somebody else has saved it since it was read. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

/** Every reason why something was not saved, in sentences. */
export const sentencesOf = (error: unknown): string =>
  error instanceof ApiError ? error.errors.join(' ') : sentenceOf(error)

/** What was refused, by the path of the field in the call. */
export const refusedFields = (error: unknown): Record<string, string> => (error instanceof ApiError ? error.fields : {})

/**
 * What was refused of a form, by field. A part of a list (`plan_ids.2`) is said at the list.
 * @param names of fields that the form calls otherwise than the call does, by the call’s name
 */
export function fieldErrorsOf(error: unknown, names: Record<string, string> = {}): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [path, sentence] of Object.entries(refusedFields(error))) {
    const [name = path] = path.split('.')
    fields[names[name] ?? name] ??= sentence
  }
  return fields
}
