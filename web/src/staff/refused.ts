import { RefusalError } from '../platform/api.ts'

/** Why something was not saved, in a sentence. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : 'It was not saved.')

/** Somebody else has saved it since it was read. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof RefusalError && error.code === 'changed_meanwhile'

/** What was refused of a form, by field. */
export const refusedFields = (error: unknown): Record<string, string> =>
  error instanceof RefusalError ? error.fields : {}
