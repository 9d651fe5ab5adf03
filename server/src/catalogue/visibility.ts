import type { Sql } from '../platform/db.ts'

/**
 * Which spotlights and top 20 members see at this moment: published, not over, not withdrawn. Nothing else makes them
 * appear or go.
 */
export const isVisible = (sql: Sql) =>
  sql`published_at <= now() and (ended_at is null or ended_at > now()) and withdrawn_at is null`

/** From when on a spotlight is suggested; of two the later one leads. */
export const suggestedSince = (sql: Sql) => sql`greatest(published_at, suggested_from)`

/** Which spotlights the pool suggests at this moment. */
export const isSuggested = (sql: Sql) => sql`suggested and ${isVisible(sql)} and ${suggestedSince(sql)} <= now()`

/** Which pins to trending hold at this moment. */
export const isPinned = (sql: Sql) => sql`(until is null or until > now())`
