/** Days begin at midnight UTC, whatever the time zones of staff and members. */

const DAY_MS = 86_400_000

export const startOfDay = (date: Date): Date => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS)

export const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

export const earliest = (one: Date, other: Date): Date => new Date(Math.min(one.getTime(), other.getTime()))

/** '2026-11-21' */
export const toIsoDay = (day: Date): string => day.toISOString().slice(0, 10)
