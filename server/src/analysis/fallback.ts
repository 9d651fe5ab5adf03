/** What the analyser does without when one of its WebAssembly modules cannot be loaded. */
export const FALLBACK_PARTS = ['preview_encoder', 'measurements'] as const
export type FallbackPart = (typeof FALLBACK_PARTS)[number]

/** Called when a part is replaced by its slower equivalent, with the error as the reason. */
export type FallbackHandler = (part: FallbackPart, reason: string) => void

/** Returns what `load` returns. If it throws, reports the reason and returns what `replace` returns. */
export function withFallback<T, R>(
  part: FallbackPart,
  load: () => T,
  { replace, onFallback }: { replace: () => R; onFallback: FallbackHandler | undefined },
): T | R {
  try {
    return load()
  } catch (error) {
    onFallback?.(part, error instanceof Error ? error.message : String(error))
    return replace()
  }
}

/** Logs a warning for each replaced part. */
export const logFallbacks =
  (log: { warn(fields: object, message: string): void }): FallbackHandler =>
  (part, reason) =>
    log.warn({ part, reason }, 'A WebAssembly module could not be loaded. Analysis continues without it, but slower')
