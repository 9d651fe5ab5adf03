import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type Log = Logger

/** JSON lines, or lines for people when a person is watching. Tokens, passwords and signed addresses are never written. */
export function createLog(level: string): Log {
  const options = {
    level,
    base: null,
    redact: {
      // The detail of a database error repeats the whole row.
      paths: [
        ...['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token', '*.password_hash'],
        ...['err.detail', 'err.where', 'err.parameters'],
      ],
      censor: '…',
    },
  }
  if (!process.stdout.isTTY) return pino(options)
  return pino(options, pretty({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true }))
}
