import { type Logger, pino } from 'pino'
import type pretty from 'pino-pretty'
import { loadOnFirstUse } from './on-first-use.ts'

export type Log = Logger

const loadPretty = loadOnFirstUse<typeof pretty>('pino-pretty')

/** Logs JSON lines, or readable lines on a terminal. Tokens, passwords and signed URLs are never logged. */
export function createLog(level: string): Log {
  const options = {
    level,
    base: null,
    redact: {
      // The detail of a database error contains the whole row.
      paths: [
        ...['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token', '*.password_hash'],
        ...['err.detail', 'err.where', 'err.parameters'],
      ],
      censor: '…',
    },
  }
  if (!process.stdout.isTTY) return pino(options)
  return pino(options, loadPretty()({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true }))
}
