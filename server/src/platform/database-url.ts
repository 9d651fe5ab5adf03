import { ConfigError } from './config.ts'
import { connect, type DatabaseLocation, isPoolerError } from './db.ts'

/** The two statements that create the role and database for a pool, for the docs and for error messages. */
const createRoleSql = (role: string, database: string) =>
  `  create role "${role}" login password '…';\n  create database "${database}" owner "${role}" encoding 'UTF8' template template0;`

/**
 * Explains in a sentence what is wrong with DATABASE_URL if connecting fails; undefined for other errors. Codes:
 * PostgreSQL, appendix A.
 */
export function describeConnectionError(databaseUrl: string, error: unknown): ConfigError | undefined {
  const { host, user, database } = parseParts(databaseUrl)
  const { code, message } = error as { code?: string; message?: string }
  if (isPoolerError(error))
    return new ConfigError(
      `DATABASE_URL: PgBouncer at ${host} could not connect to PostgreSQL (${message}). Check that PostgreSQL is running, and the section [databases] of pgbouncer.ini.`,
    )
  switch (code) {
    case '3D000':
      return new ConfigError(
        `DATABASE_URL: the server at ${host} has no database "${database}". Create it as an administrator:\n${createRoleSql(user, database)}`,
      )
    case '28P01':
      return new ConfigError(`DATABASE_URL: the server at ${host} did not accept the password of the role "${user}".`)
    case '28000':
      return new ConfigError(
        `DATABASE_URL: the server at ${host} denied access to the role "${user}" (${message}). If the role does not exist, create it as an administrator:\n${createRoleSql(user, database)}\nIf it does, allow it in pg_hba.conf.`,
      )
    case '42501':
      return new ConfigError(
        `DATABASE_URL: the role "${user}" cannot access the database "${database}" (${message}). As an administrator: alter database "${database}" owner to "${user}";`,
      )
    case 'ECONNREFUSED':
    case 'ENOENT':
      return new ConfigError(
        `DATABASE_URL: could not connect to ${host}. Check that PostgreSQL is running there and that host and port are correct.`,
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`DATABASE_URL: the host name ${host} could not be found. Check its spelling and DNS.`)
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return new ConfigError(`DATABASE_URL: ${host} did not respond in time. Check the address and the firewall.`)
    case '53300':
      return new ConfigError(`DATABASE_URL: the server at ${host} has no free connections. Raise max_connections.`)
    default:
      return undefined
  }
}

/** Throws ConfigError unless the database stores text as UTF-8. */
export async function checkEncoding(location: DatabaseLocation, databaseUrl: string): Promise<void> {
  const sql = connect(location, { max: 1, prepare: false })
  try {
    const [row] = await sql<{ encoding: string }[]>`
      select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`
    if (row?.encoding === 'UTF8') return
    const { user, database } = parseParts(databaseUrl)
    throw new ConfigError(
      `DATABASE_URL: the database "${database}" uses the encoding ${row?.encoding}; Dubplate requires UTF8. Create another database as an administrator:\n${createRoleSql(user, `${database}_utf8`)}`,
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function parseParts(databaseUrl: string): { host: string; user: string; database: string } {
  // A URL with a list of hosts cannot be parsed by Node.
  const [, user = '', host = '', database = ''] =
    /^\w+:\/\/(?:([^:@/]*)(?::[^@]*)?@)?([^/?]*)\/?([^?]*)/.exec(databaseUrl) ?? []
  const name = decodeURIComponent(user)
  return { host: host || 'localhost', user: name, database: decodeURIComponent(database) || name }
}
