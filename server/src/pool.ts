import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStaff, LEAST_PASSWORD_LETTERS } from './membership/staff.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { type Database, openDatabase } from './platform/database.ts'
import { databaseIsAway } from './platform/db.ts'
import { InterruptedError, readHiddenLine } from './platform/hidden-line.ts'
import { type Log, makeLog } from './platform/log.ts'
import { writeSchema } from './platform/migrate.ts'
import { makeWorld } from './process.ts'
import { refuseFolder, runImport } from './uploads/import-command.ts'

const HELP = `npm run pool -- COMMAND

  import FOLDER              adds the music in a folder: MP3, WAV, FLAC and AIFF
    --dry-run                only shows what would be added and what skipped
    --genre NAME             the genre of files that name none (else Unsorted)
    --section 1|2            the section its songs are listed in (1)
    --jobs N                 files analysed at once (one for each core)
  create-staff EMAIL         opens an account with every right of staff; asks for its password
    --name NAME              the name it shows (Staff)
  migrate                    brings the database to the newest migration
    --write-schema           also writes server/schema.sql
  help                       this page
`

/** What was typed cannot be done; the message says what can. */
class UsageError extends Error {}

type Tools = { config: Config; log: Log; database: Database }
type Command = (tools: Tools) => Promise<number>

/** Reads what was typed before anything is opened, so that a slip costs nothing. */
function readCommand([name = 'help', ...args]: string[]): Command | undefined {
  if (['help', '--help', '-h'].includes(name)) return undefined
  if (name === 'import') return readImport(args)
  if (name === 'create-staff') return readCreateStaff(args)
  if (name === 'migrate') return readMigrate(args)
  throw new UsageError(`There is no command "${name}". There are import, create-staff, migrate and help.`)
}

function readImport(args: string[]): Command {
  const { values, positionals } = parse(args, {
    'dry-run': { type: 'boolean' },
    genre: { type: 'string' },
    section: { type: 'string' },
    jobs: { type: 'string' },
  })
  const [given] = positionals
  if (!given || positionals.length > 1) throw new UsageError('Say which folder to import: import FOLDER.')
  const folder = path.resolve(given)
  const problem = refuseFolder(folder)
  if (problem) throw new UsageError(problem)
  const section = wholeNumber('section', values.section ?? '1', 2)
  const jobs = values.jobs === undefined ? undefined : wholeNumber('jobs', values.jobs, 64)
  const genre = values.genre?.trim() || undefined
  const wish = { folder, section: section as 1 | 2, genre, jobs, isDryRun: values['dry-run'] ?? false }
  return ({ config, log, database }) => runImport(makeWorld(config, log, database), wish)
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number
  throw new UsageError(`--${name} is a number from 1 to ${most}, not "${text}".`)
}

function readCreateStaff(args: string[]): Command {
  const { values, positionals } = parse(args, { name: { type: 'string' } })
  const [email] = positionals
  if (!email || positionals.length > 1) throw new UsageError('Say whose account to open: create-staff EMAIL.')
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address.`)
  return async ({ database }) => {
    const password = process.env.DUBPLATE_PASSWORD ?? (await readHiddenLine(`Password of ${email}: `))
    if ([...password].length < LEAST_PASSWORD_LETTERS)
      return say(`A password has at least ${LEAST_PASSWORD_LETTERS} characters. No account was opened.`, 1)
    const added = await createStaff(database.sql, { email, name: values.name?.trim() || 'Staff', password })
    if (!added) return say(`${email} has an account already. It was left as it is.`, 1)
    return say(`${email} can sign in as staff.`, 0)
  }
}

function readMigrate(args: string[]): Command {
  const { values } = parse(args, { 'write-schema': { type: 'boolean' } })
  return async ({ database }) => {
    // Opening the database has brought it to the newest migration.
    if (values['write-schema']) await writeSchema(database.sql)
    return say('The database is at the newest migration.', 0)
  }
}

type Options = Record<string, { type: 'string' | 'boolean' }>

function parse<O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    throw new UsageError(`${sentence?.replace(/\.$/, '')}. See: npm run pool -- help.`)
  }
}

function say(sentence: string, code: number): number {
  const out = code === 0 ? process.stdout : process.stderr
  out.write(`${sentence}\n`)
  return code
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof UsageError) return error.message
  if (databaseIsAway(error)) return 'The database is away. What was added stays; run the command again to go on.'
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full. What was added stays; make room and run it again.'
  return message ?? String(error)
}

/** Exit codes: 0 done, 1 it failed, 2 the command was not understood, 130 interrupted. */
async function main(args: string[]): Promise<number> {
  const command = readCommand(args)
  if (!command) {
    process.stdout.write(HELP)
    return 0
  }
  const config = readConfig(process.env)
  const log = makeLog(process.env.LOG_LEVEL ? config.logLevel : 'warn')
  const database = await openDatabase(config, log)
  try {
    return await command({ config, log, database })
  } finally {
    await database.close().catch(() => {})
  }
}

// A handle keeps Node 20 awake while it compiles WebAssembly, and the end is explicit (nodejs/node#54918).
const alive = setInterval(() => {}, 60_000)
const code = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  if (error instanceof InterruptedError) return 130
  return error instanceof UsageError ? 2 : 1
})
clearInterval(alive)
process.exit(code)
