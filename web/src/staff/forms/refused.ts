import { ApiError } from '../../platform/api.ts'
import * as texts from './texts.ts'

/** The error message of a failed save. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : texts.couldntSaveYourChangesTry

/** Someone else has saved it since it was loaded. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

/** All error messages of a failed save. */
export const sentencesOf = (error: unknown): string =>
  error instanceof ApiError ? error.errors.join(' ') : sentenceOf(error)

/** Field errors, by the path of the field in the API call. */
export const refusedFields = (error: unknown): Record<string, string> => (error instanceof ApiError ? error.fields : {})

/**
 * Field errors of a form. An error in an item of a list (`plan_ids.2`) is reported at the list.
 * @param names maps field names of the API to those of the form where they differ
 */
export function fieldErrorsOf(error: unknown, names: Record<string, string> = {}): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [path, sentence] of Object.entries(refusedFields(error))) {
    const [name = path] = path.split('.')
    fields[names[name] ?? name] ??= sentence
  }
  return fields
}
