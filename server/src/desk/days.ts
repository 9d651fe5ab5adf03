/** Days begin at midnight in UTC, wherever staff and members are. */

const DAY_MS = 86_400_000

export const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS)

export const daysLater = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)

export const earlier = (one: Date, other: Date): Date => new Date(Math.min(one.getTime(), other.getTime()))

/** '2026-11-21' */
export const nameOfDay = (day: Date): string => day.toISOString().slice(0, 10)
