import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

/** A program that the drill starts, and the Debian package that contains it. */
type RequiredProgram = { name: string; package: string }

const POSTGRES_FOLDERS = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`)

const REQUIRED: readonly RequiredProgram[] = [
  { name: 'etcd', package: 'etcd-server' },
  { name: 'patroni', package: 'patroni' },
  { name: 'haproxy', package: 'haproxy' },
  { name: 'pgbouncer', package: 'pgbouncer' },
  { name: 'nginx', package: 'nginx' },
  { name: 'openssl', package: 'openssl' },
  { name: 'ceph', package: 'ceph-common' },
  { name: 'ceph-mon', package: 'ceph-mon' },
  { name: 'ceph-osd', package: 'ceph-osd' },
  { name: 'ceph-authtool', package: 'ceph-common' },
  { name: 'monmaptool', package: 'ceph-base' },
  { name: 'radosgw', package: 'radosgw' },
  { name: 'radosgw-admin', package: 'radosgw' },
]

const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** The path of an installed program; undefined if it is not installed. Debian keeps daemons out of a user's PATH. */
export function findProgram(name: string, folders: readonly string[] = FOLDERS): string | undefined {
  const searched = [...(process.env.PATH ?? '').split(':').filter(Boolean), ...folders]
  return searched.map((folder) => path.join(folder, name)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The folder of PostgreSQL's programs. The embedded PostgreSQL has no pg_basebackup and no pg_rewind, which Patroni needs.
 * Undefined if no supported version is installed.
 */
export const findPostgresFolder = (): string | undefined =>
  POSTGRES_FOLDERS.find((folder) =>
    ['postgres', 'pg_basebackup', 'pg_rewind'].every((name) => existsSync(path.join(folder, name))),
  )

/** Says which programs are missing and how to install them; undefined if all are installed. */
export function describeMissingPrograms(
  find: (name: string) => string | undefined = findProgram,
  hasPostgres: boolean = findPostgresFolder() !== undefined,
): string | undefined {
  const missing = REQUIRED.filter(({ name }) => find(name) === undefined)
  if (missing.length === 0 && hasPostgres) return undefined
  const names = [...missing.map(({ name }) => name), ...(hasPostgres ? [] : ['PostgreSQL 15 or later'])]
  const packages = [...new Set([...missing.map((one) => one.package), ...(hasPostgres ? [] : ['postgresql-15'])])]
  return `This drill needs programs that are not installed: ${names.join(', ')}. On Debian: apt-get install --no-install-recommends ${packages.join(' ')}`
}
