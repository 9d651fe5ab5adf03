import type * as z from 'zod/mini'

/** One value of a request that has not been parsed as a whole; undefined where it is missing or its schema refuses it. */
export function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> | undefined {
  const { success, data } = schema.safeParse(value)
  return success ? data : undefined
}
