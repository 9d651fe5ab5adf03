import { BackupError } from './backups/backup-error.ts'
import { ShopError } from './billing/shop-commands.ts'
import { UsageError } from './command-line.ts'
import { ConfigError, readConfig } from './platform/config.ts'
import { secureDataDir } from './platform/data-dir.ts'
import { connectDatabase, openDatabase } from './platform/database.ts'
import { isDatabaseUnavailable } from './platform/db.ts'
import { createLog } from './platform/log.ts'
import { InterruptedError } from './platform/password-prompt.ts'
import { StorageUnavailableError } from './platform/storage.ts'
import { HELP, readCommand } from './pool-commands.ts'

const isUsage = (error: unknown): error is Error => error instanceof UsageError || error instanceof ShopError

function explainError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof BackupError || isUsage(error)) return error.message
  if (isDatabaseUnavailable(error))
    return 'The database is unavailable. Run the command again when it’s back; imported files are kept.'
  if (error instanceof StorageUnavailableError)
    return `File storage is unavailable: ${error.message}. Run the command again when it’s back; imported files are kept.`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full. Free up space and run the command again; imported files are kept.'
  return message ?? String(error)
}

/** Exit codes: 0 success, 1 failure, 2 invalid command, 130 interrupted. */
async function main(args: string[]): Promise<number> {
  const command = readCommand(args)
  if (!command) {
    process.stdout.write(HELP)
    return 0
  }
  const config = readConfig(process.env)
  secureDataDir(config)
  const log = createLog(process.env.LOG_LEVEL ? config.logLevel : 'warn')
  const database = await (command.database === 'as_it_is' ? connectDatabase : openDatabase)(config, log)
  try {
    return await command.run({ config, log, database })
  } finally {
    await database.close().catch(() => {})
  }
}

// A handle keeps Node 20 alive while it compiles WebAssembly, and the end is explicit (nodejs/node#54918).
const keepAlive = setInterval(() => {}, 60_000)
const code = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`)
  if (error instanceof InterruptedError) return 130
  return isUsage(error) ? 2 : 1
})
clearInterval(keepAlive)
process.exit(code)
