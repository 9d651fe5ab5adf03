import { ERRORS, type ErrorCode } from '@dubplate/contract/schemas/errors'

/** An error for the caller: a code for programs and one sentence for the user. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly errors: string[]
  readonly data: unknown
  /** Seconds after which a retry makes sense. */
  readonly retryAfter_seconds: number | undefined

  constructor(
    code: ErrorCode,
    sentence: string,
    more: { fields?: Record<string, string>; errors?: string[]; data?: unknown; retryAfter_seconds?: number } = {},
  ) {
    super(sentence)
    this.name = 'ApiError'
    this.code = code
    this.fields = more.fields
    this.errors = more.errors ?? [sentence]
    this.data = more.data ?? null
    this.retryAfter_seconds = more.retryAfter_seconds
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/**
 * Runs several field checks and throws one ApiError with the errors of all of them and the code of the first. An error
 * that names no field (a limit, a missing row) is thrown at once.
 */
export async function throwAllErrors(checks: readonly (() => unknown)[]): Promise<void> {
  const errors: ApiError[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof ApiError) || !error.fields) throw error
      errors.push(error)
    }
  }
  throwCombined(errors)
}

/** Throws these errors combined into one, with the code of the first; does nothing if there are none. */
export function throwCombined(apiErrors: readonly ApiError[]): void {
  const [first] = apiErrors
  if (!first) return
  const fields: Record<string, string> = {}
  for (const [name, sentence] of apiErrors.flatMap((apiError) => Object.entries(apiError.fields ?? {})))
    fields[name] ??= sentence
  const errors = [...new Set(apiErrors.flatMap((apiError) => apiError.errors))]
  throw new ApiError(first.code, first.message, {
    fields,
    errors,
    data: first.data,
    ...(first.retryAfter_seconds === undefined ? {} : { retryAfter_seconds: first.retryAfter_seconds }),
  })
}

/** Runs a check that does not know field names, and reports its error for this field. */
export async function atField<T>(field: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields) throw error
    throw fieldError(error.code, field, error.message)
  }
}

/** Creates an error for one field of a request. */
export const fieldError = (code: ErrorCode, field: string, sentence: string): ApiError =>
  new ApiError(code, sentence, { fields: { [field]: sentence } })
