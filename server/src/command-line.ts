import { parseArgs } from 'node:util'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/database.ts'
import type { Log } from './platform/log.ts'

/** What the operator's commands share. */

export type CommandContext = { config: Config; log: Log; database: Database }

/** Returns the exit code. */
export type Command = {
  run(commandContext: CommandContext): Promise<number>
  /** Most commands need the newest migration; some need the database as it is. */
  database?: 'as_it_is'
}

/** The arguments are invalid; the message says what is possible. */
export class UsageError extends Error {}

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const
/** May be given several times. */
export const TEXTS = { type: 'string', multiple: true } as const

type FlagOptions = Record<string, typeof TEXT | typeof FLAG | typeof TEXTS>

export function parse<O extends FlagOptions>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [message] = (error as Error).message.split('. ')
    throw new UsageError(`${message?.replace(/\.$/, '')}. Run npm run pool -- help for usage.`)
  }
}

export function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number
  throw new UsageError(`--${name} must be a number from 1 to ${max}, not "${text}".`)
}

export function printMessage(message: string, code: number): number {
  const out = code === 0 ? process.stdout : process.stderr
  out.write(`${message}\n`)
  return code
}
