import type { Sql } from '../platform/db.ts'

/**
 * Which spotlights and top 20s members see now: published, not ended, not unpublished. Nothing else affects their
 * visibility.
 */
export const isVisible = (sql: Sql) =>
  sql`published_at <= now() and (ended_at is null or ended_at > now()) and unpublished_at is null`

/** Since when a spotlight is suggested; the latest comes first. */
export const suggestedSince = (sql: Sql) => sql`greatest(published_at, suggested_from)`

/** Which spotlights are suggested now. */
export const isSuggested = (sql: Sql) => sql`suggested and ${isVisible(sql)} and ${suggestedSince(sql)} <= now()`

/** Which pins in trending are active now. */
export const isPinned = (sql: Sql) => sql`(until is null or until > now())`
