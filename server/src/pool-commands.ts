import path from 'node:path'
import { imports } from '@dubplate/contract'
import { BACKUP_HELP, readBackup, readRehearse, readRestore } from './backups/backup-commands.ts'
import { readCheck, readExport, readReleaseMail, readRepair, readWorkerHealth } from './backups/maintenance-commands.ts'
import { upsertCoupon, upsertPlan } from './billing/shop.ts'
import { describePlan, readCoupon, readPlan } from './billing/shop-commands.ts'
import {
  type Command,
  type CommandContext,
  FLAG,
  parse,
  printMessage,
  TEXT,
  UsageError,
  wholeNumber,
} from './command-line.ts'
import { fillEmptyPool } from './demo-pool/demo-pool.ts'
import { checkFolder, runImport } from './imports/import-command.ts'
import { checkPattern } from './imports/path-pattern.ts'
import { createStaff } from './membership/staff.ts'
import { disableTwoFactorFor } from './membership/two-factor.ts'
import { migrateAll, readPending, saveSchema } from './platform/migrate.ts'
import { readHiddenLine } from './platform/password-prompt.ts'
import { createLiveSettings } from './platform/settings.ts'
import { createAppContext } from './process.ts'

/** The operator's commands, as used with `npm run pool`. */
export const HELP = `Usage: npm run pool -- COMMAND

  import FOLDER              import the music in a folder (MP3, M4A, OGG, Opus, WAV, FLAC, AIFF)
    --dry-run                show what would be imported without changing anything
    --genre NAME             default genre for files without one (default: no genre)
    --pattern PATTERN        how to read artist and title from paths, for example "{label}/{artist} - {title}"
    --encoding NAME          encoding of tags declared as Latin-1: automatic, western, central_european, cyrillic,
                             greek, turkish, japanese, korean or chinese (default: automatic)
    --section 1|2            section for the songs (default: 1)
    --jobs N                 files to analyse in parallel (default: number of cores)
  create-staff EMAIL         create a staff account with the admin role; prompts for a password
    --name NAME              display name (default: Staff)
  two-step-off EMAIL         turn off two-factor authentication for an account
  set-plan TITLE             create a plan, or update it for new subscribers
    --price 14.99            price per month
    --trial 1.00             price of the first month for new customers
    --currency EUR           currency (default: USD)
    --yearly                 bill yearly instead of monthly
    --premium                mark as a premium plan
    --description TEXT       short description
    --off                    unpublish the plan; existing subscribers keep it
  set-coupon CODE            create a coupon, or update it for new customers
    --percent 20             discount; or --amount 5.00 --currency EUR
    --payments N|all         number of discounted payments (default: 1)
    --uses N                 maximum number of uses (default: unlimited)
    --ends 2027-01-31        last valid day
${BACKUP_HELP}  demo                       fill an empty installation with demo data
  migrate                    run pending database migrations
    --pending                list pending migrations without running them
    --at-once                run all pending migrations in one transaction
    --write-schema           also write server/schema.sql
  help                       show this help
`

const COMMANDS: Record<string, (args: string[]) => Command> = {
  import: readImport,
  'create-staff': readCreateStaff,
  'two-step-off': readDisableTwoFactor,
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

/** Parses the command before anything is opened, so that a typing error has no effect. */
export function readCommand([name = 'help', ...args]: string[]): Command | undefined {
  if (['help', '--help', '-h'].includes(name)) return undefined
  const read = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (read) return read(args)
  throw new UsageError(`Unknown command "${name}". Available: ${Object.keys(COMMANDS).join(', ')} and help.`)
}

function readImport(args: string[]): Command {
  const { values, positionals } = parse(args, {
    'dry-run': FLAG,
    genre: TEXT,
    pattern: TEXT,
    encoding: TEXT,
    section: TEXT,
    jobs: TEXT,
  })
  const [folderArgument] = positionals
  if (!folderArgument || positionals.length > 1) throw new UsageError('Missing folder. Usage: import FOLDER')
  const folder = path.resolve(folderArgument)
  const pattern = values.pattern?.trim() || undefined
  const problem = checkFolder(folder) ?? (pattern && checkPattern(pattern))
  if (problem) throw new UsageError(problem)
  const section = wholeNumber('section', values.section ?? '1', 2)
  const jobs = values.jobs === undefined ? undefined : wholeNumber('jobs', values.jobs, 64)
  const genre = values.genre?.trim() || undefined
  const encoding = imports.TAG_ENCODINGS.find((name) => name === (values.encoding ?? 'automatic'))
  if (!encoding)
    throw new UsageError(`"${values.encoding}" is not an encoding. Use one of ${imports.TAG_ENCODINGS.join(', ')}.`)
  const params = {
    folder,
    section: section as 1 | 2,
    genre,
    pattern,
    encoding,
    jobs,
    isDryRun: values['dry-run'] ?? false,
  }
  return { run: async ({ config, log, database }) => runImport(await createAppContext(config, log, database), params) }
}

function readCreateStaff(args: string[]): Command {
  const { values, positionals } = parse(args, { name: TEXT })
  const [email] = positionals
  if (!email || positionals.length > 1) throw new UsageError('Missing email address. Usage: create-staff EMAIL')
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not a valid email address.`)
  const run = async ({ database }: CommandContext) => {
    const password = process.env.DUBPLATE_PASSWORD ?? (await readHiddenLine(`Password for ${email}: `))
    const added = await createStaff(database.sql, { email, name: values.name?.trim() || 'Staff', password })
    if (!added) return printMessage(`An account for ${email} already exists. Nothing was changed.`, 1)
    return printMessage(`Staff account created. ${email} can now sign in.`, 0)
  }
  return { run }
}

function readDisableTwoFactor(args: string[]): Command {
  const [email, ...others] = parse(args, {}).positionals
  if (!email || others.length > 0) throw new UsageError('Missing email address. Usage: two-step-off EMAIL')
  const run = async ({ config, log, database }: CommandContext) => {
    const { emailSender } = await createLiveSettings(database.sql, config, log)
    const done = await disableTwoFactorFor(database.sql, emailSender, email)
    if (done === 'unknown') return printMessage(`No account with the email address ${email}.`, 1)
    if (done === 'was_off') return printMessage(`Two-factor authentication is already off for ${email}.`, 0)
    return printMessage(`Two-factor authentication turned off for ${email}. We’ve sent them an email.`, 0)
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
  if (!title || positionals.length > 1) throw new UsageError('Missing plan title. Usage: set-plan TITLE --price 14.99')
  const params = readPlan(title, values)
  const run = async ({ database }: CommandContext) => {
    const done = await upsertPlan(database.sql, params)
    return printMessage(`${describePlan(params)}: ${params.is_published ? done : 'unpublished'}.`, 0)
  }
  return { run }
}

function readSetCoupon(args: string[]): Command {
  const options = { percent: TEXT, amount: TEXT, currency: TEXT, payments: TEXT, uses: TEXT, ends: TEXT }
  const { values, positionals } = parse(args, options)
  const [code] = positionals
  if (!code || positionals.length > 1) throw new UsageError('Missing coupon code. Usage: set-coupon CODE --percent 20')
  const params = readCoupon(code, values)
  return {
    run: async ({ database }) => printMessage(`${params.code}: ${await upsertCoupon(database.sql, params)}.`, 0),
  }
}

function readDemo(args: string[]): Command {
  if (parse(args, {}).positionals.length > 0) throw new UsageError('demo takes no arguments.')
  const run = async ({ config, database }: CommandContext) => {
    const { songs, versions } = await fillEmptyPool(config, database)
    return printMessage(
      `Created the demo in ${config.dataDir}: ${songs} songs in ${versions} versions. Run npm start to open it.`,
      0,
    )
  }
  return { run }
}

function readMigrate(args: string[]): Command {
  const { values } = parse(args, { 'write-schema': FLAG, pending: FLAG, 'at-once': FLAG })
  if (values.pending || values['at-once']) {
    const list = values.pending ? readPending : migrateAll
    const run = async ({ database }: CommandContext) => {
      for (const name of await list(database.sql)) process.stdout.write(`${name}\n`)
      return 0
    }
    return { run, database: 'as_it_is' }
  }
  const run = async ({ database }: CommandContext) => {
    // Opening the database has applied all migrations.
    if (values['write-schema']) await saveSchema(database.sql)
    return printMessage('The database is up to date.', 0)
  }
  return { run }
}
