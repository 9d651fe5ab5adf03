import type * as z from 'zod/mini'

/** Parses one value of a request that has not been parsed as a whole; undefined if it is missing or invalid. */
export function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> | undefined {
  const { success, data } = schema.safeParse(value)
  return success ? data : undefined
}
