import path from 'node:path'
import {
  BACKUP_HELP,
  readBackup,
  readCheck,
  readExport,
  readRehearse,
  readReleaseMail,
  readRepair,
  readRestore,
  readWorkerHealth,
} from './backups/backup-commands.ts'
import { setCoupon, setPlan } from './billing/shop.ts'
import { planInWords, readCoupon, readPlan } from './billing/shop-commands.ts'
import { type Command, FLAG, parse, say, TEXT, type Tools, UsageError, wholeNumber } from './command-line.ts'
import { fillEmptyPool } from './demo-pool/demo-pool.ts'
import { refuseFolder, runImport } from './imports/import-command.ts'
import { refusePattern } from './imports/path-pattern.ts'
import { createStaff } from './membership/staff.ts'
import { switchOffFor } from './membership/two-step.ts'
import { readHiddenLine } from './platform/hidden-line.ts'
import { migrateAtOnce, readPending, writeSchema } from './platform/migrate.ts'
import { openSettings } from './platform/settings.ts'
import { makeWorld } from './process.ts'

/** The operator's commands, as `npm run pool` takes them. */
export const HELP = `npm run pool -- COMMAND

  import FOLDER              adds the music in a folder: MP3, WAV, FLAC and AIFF
    --dry-run                only shows what would be added and what skipped
    --genre NAME             the genre of files that name none (else no genre)
    --pattern PATTERN        what the paths say, for example "{label}/{artist} - {title}"
    --section 1|2            the section its songs are listed in (1)
    --jobs N                 files analysed at once (one for each core)
  create-staff EMAIL         opens an account with every right of staff; asks for its password
    --name NAME              the name it shows (Staff)
  two-step-off EMAIL         switches two-step sign-in off for somebody without phone and recovery codes
  set-plan TITLE             puts a plan on sale, or changes the one of this title for those who come
    --price 14.99            what each month costs
    --trial 1.00             what the first month costs whoever never paid
    --currency EUR           (USD)
    --yearly                 it is paid by the year
    --premium                it is shown as a premium plan
    --description TEXT       what it is, in a sentence
    --off                    takes it off sale; whoever has it keeps it
  set-coupon CODE            makes a coupon, or changes it for those who come
    --percent 20             or --amount 5.00, with --currency EUR
    --payments N|all         from how many payments it is taken off (1)
    --uses N                 how many members may use it (any number)
    --ends 2027-01-31        its last day
${BACKUP_HELP}  demo                       fills an empty pool with the demo, as its first start would
  migrate                    brings the database to the newest migration
    --pending                only lists the migrations it does not have
    --at-once                in one transaction: all of them, or none
    --write-schema           also writes server/schema.sql
  help                       this page
`

const COMMANDS: Record<string, (args: string[]) => Command> = {
  import: readImport,
  'create-staff': readCreateStaff,
  'two-step-off': readTwoStepOff,
  'set-plan': readSetPlan,
  'set-coupon': readSetCoupon,
  backup: readBackup,
  restore: readRestore,
  'rehearse-restore': readRehearse,
  'release-mail': readReleaseMail,
  check: readCheck,
  repair: readRepair,
  'worker-health': readWorkerHealth,
  export: readExport,
  demo: readDemo,
  migrate: readMigrate,
}

/** Reads what was typed before anything is opened, so that a slip costs nothing. */
export function readCommand([name = 'help', ...args]: string[]): Command | undefined {
  if (['help', '--help', '-h'].includes(name)) return undefined
  const read = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (read) return read(args)
  throw new UsageError(`There is no command "${name}". There are ${Object.keys(COMMANDS).join(', ')} and help.`)
}

function readImport(args: string[]): Command {
  const { values, positionals } = parse(args, {
    'dry-run': FLAG,
    genre: TEXT,
    pattern: TEXT,
    section: TEXT,
    jobs: TEXT,
  })
  const [given] = positionals
  if (!given || positionals.length > 1) throw new UsageError('Say which folder to import: import FOLDER.')
  const folder = path.resolve(given)
  const pattern = values.pattern?.trim() || undefined
  const problem = refuseFolder(folder) ?? (pattern && refusePattern(pattern))
  if (problem) throw new UsageError(problem)
  const section = wholeNumber('section', values.section ?? '1', 2)
  const jobs = values.jobs === undefined ? undefined : wholeNumber('jobs', values.jobs, 64)
  const genre = values.genre?.trim() || undefined
  const wish = { folder, section: section as 1 | 2, genre, pattern, jobs, isDryRun: values['dry-run'] ?? false }
  return { run: async ({ config, log, database }) => runImport(await makeWorld(config, log, database), wish) }
}

function readCreateStaff(args: string[]): Command {
  const { values, positionals } = parse(args, { name: TEXT })
  const [email] = positionals
  if (!email || positionals.length > 1) throw new UsageError('Say whose account to open: create-staff EMAIL.')
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address.`)
  const run = async ({ database }: Tools) => {
    const password = process.env.DUBPLATE_PASSWORD ?? (await readHiddenLine(`Password of ${email}: `))
    const added = await createStaff(database.sql, { email, name: values.name?.trim() || 'Staff', password })
    if (!added) return say(`${email} has an account already. It was left as it is.`, 1)
    return say(`${email} can sign in as staff.`, 0)
  }
  return { run }
}

function readTwoStepOff(args: string[]): Command {
  const [email, ...others] = parse(args, {}).positionals
  if (!email || others.length > 0) throw new UsageError('Say whose it is: two-step-off EMAIL.')
  const run = async ({ config, log, database }: Tools) => {
    const { letterhead } = await openSettings(database.sql, config, log)
    const done = await switchOffFor(database.sql, letterhead, email)
    if (done === 'unknown') return say(`Nobody here has the address ${email}.`, 1)
    if (done === 'was_off') return say(`${email} signs in with the password alone already.`, 0)
    return say(`${email} signs in with the password alone now; a mail says so.`, 0)
  }
  return { run }
}

function readSetPlan(args: string[]): Command {
  const options = {
    price: TEXT,
    trial: TEXT,
    currency: TEXT,
    description: TEXT,
    yearly: FLAG,
    premium: FLAG,
    off: FLAG,
  }
  const { values, positionals } = parse(args, options)
  const [title] = positionals
  if (!title || positionals.length > 1) throw new UsageError('Say which plan: set-plan TITLE --price 14.99.')
  const wish = readPlan(title, values)
  const run = async ({ database }: Tools) => {
    const done = await setPlan(database.sql, wish)
    return say(`${planInWords(wish)}: ${wish.on_sale ? done : 'off sale'}.`, 0)
  }
  return { run }
}

function readSetCoupon(args: string[]): Command {
  const options = { percent: TEXT, amount: TEXT, currency: TEXT, payments: TEXT, uses: TEXT, ends: TEXT }
  const { values, positionals } = parse(args, options)
  const [code] = positionals
  if (!code || positionals.length > 1) throw new UsageError('Say which coupon: set-coupon CODE --percent 20.')
  const wish = readCoupon(code, values)
  return { run: async ({ database }) => say(`${wish.code}: ${await setCoupon(database.sql, wish)}.`, 0) }
}

function readDemo(args: string[]): Command {
  if (parse(args, {}).positionals.length > 0) throw new UsageError('demo takes no arguments.')
  const run = async ({ config, database }: Tools) => {
    const { songs, versions } = await fillEmptyPool(config, database)
    return say(`The demo is in ${config.dataDir}: ${songs} songs in ${versions} versions. npm start opens it.`, 0)
  }
  return { run }
}

function readMigrate(args: string[]): Command {
  const { values } = parse(args, { 'write-schema': FLAG, pending: FLAG, 'at-once': FLAG })
  if (values.pending || values['at-once']) {
    const list = values.pending ? readPending : migrateAtOnce
    const run = async ({ database }: Tools) => {
      for (const name of await list(database.sql)) process.stdout.write(`${name}\n`)
      return 0
    }
    return { run, database: 'as_it_is' }
  }
  const run = async ({ database }: Tools) => {
    // Opening the database has brought it to the newest migration.
    if (values['write-schema']) await writeSchema(database.sql)
    return say('The database is at the newest migration.', 0)
  }
  return { run }
}
