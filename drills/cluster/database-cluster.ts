import { readFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SystemAccount } from '../../server/src/platform/embedded-folders.ts'
import { childrenOf, statusOf } from '../pool-process.ts'
import type { ClusterFiles } from './cluster-files.ts'
import { Daemon } from './daemon.ts'
import { findProgram } from './programs.ts'

const NAMES = ['database1', 'database2', 'database3'] as const
export type DatabaseName = (typeof NAMES)[number]

/** The ports of one database machine. */
export type DatabasePorts = { client: number; peer: number; patroni: number; postgres: number }
export type RouterPorts = { primary: number; read: number; pooler: number }

/** Which database has which role, as Patroni's REST API says. */
export type Roles = { primary?: DatabaseName; synchronous?: DatabaseName; others: DatabaseName[] }

type ClusterMember = { name: DatabaseName; role: string; state: string }

/** PostgreSQL on three machines, which Patroni and etcd manage, with HAProxy and PgBouncer in front of it. */
export class DatabaseCluster {
  readonly etcds: Daemon[]
  readonly databases: Daemon[]
  readonly haproxy: Daemon
  readonly pgbouncer: Daemon
  readonly #ports: DatabasePorts[]

  constructor(files: ClusterFiles, account: SystemAccount, ports: DatabasePorts[], routers: RouterPorts) {
    this.#ports = ports
    const logFolder = files.folder
    this.etcds = ports.map(({ client, peer }, n) => {
      const values = { NAME: NAMES[n] ?? '', ETCD_CLIENT: `127.0.0.1:${client}`, ETCD_PEER: `127.0.0.1:${peer}` }
      const name = `etcd${n + 1}`
      const { config } = files.create(name, ['etcd.yml'], { values, account })
      const args = ['--config-file', path.join(config, 'etcd.yml')]
      const isReady = async () => (await statusOf(`http://127.0.0.1:${client}/health`, 2000)) === 200
      return new Daemon({ name, command: findProgram('etcd') ?? '', args, logFolder, account, isReady })
    })
    this.databases = ports.map(({ patroni, postgres }, n) => {
      const name = NAMES[n] ?? ''
      const values = { PATRONI: `127.0.0.1:${patroni}`, POSTGRES: `127.0.0.1:${postgres}` }
      const { config, data } = files.create(name, ['patroni.yml', 'create-database.sh'], { values, account })
      return new Daemon({
        ...{
          name,
          logFolder,
          account,
          command: findProgram('patroni') ?? '',
          args: [path.join(config, 'patroni.yml')],
        },
        otherProcesses: () => postgresProcesses(path.join(data, 'postgres')),
        isReady: async () => (await statusOf(`http://127.0.0.1:${patroni}/readiness`, 2000)) === 200,
      })
    })
    const haproxy = files.create('haproxy', ['haproxy.cfg'])
    this.haproxy = new Daemon({
      ...{ name: 'haproxy', logFolder, command: findProgram('haproxy') ?? '' },
      args: ['-db', '-f', path.join(haproxy.config, 'haproxy.cfg')],
      isReady: () => isListening(routers.primary),
    })
    const pgbouncer = files.create('pgbouncer', ['pgbouncer.ini', 'userlist.txt'], { account })
    this.pgbouncer = new Daemon({
      ...{ name: 'pgbouncer', logFolder, account, command: findProgram('pgbouncer') ?? '' },
      args: [path.join(pgbouncer.config, 'pgbouncer.ini')],
      isReady: () => isListening(routers.pooler),
    })
  }

  async start(): Promise<void> {
    for (const etcd of this.etcds) etcd.launch()
    for (const etcd of this.etcds) await etcd.untilReady()
    // The first one creates the cluster; the others copy it.
    const [first, ...others] = this.databases
    await first?.start()
    await Promise.all(others.map((database) => database.start()))
    await this.haproxy.start()
    await this.pgbouncer.start()
    await this.untilComplete()
  }

  /** The roles at this moment; without a primary while there is none. */
  async roles(): Promise<Roles> {
    const members = await this.#members()
    const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
    const withRole = (role: string) => running.find((member) => member.role === role)?.name
    const [primary, synchronous] = [withRole('leader'), withRole('sync_standby')]
    return {
      ...(primary ? { primary } : {}),
      ...(synchronous ? { synchronous } : {}),
      others: running.filter(({ role }) => role === 'replica').map(({ name }) => name),
    }
  }

  /** Waits for one primary, one synchronous and one asynchronous standby. */
  async untilComplete(timeoutMs = 180_000): Promise<Roles> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const roles = await this.roles()
      if (roles.primary && roles.synchronous && roles.others.length === 1) return roles
      if (performance.now() > deadline)
        throw new Error(`The database cluster is not complete: ${JSON.stringify(await this.#members())}`)
      await pause(300)
    }
  }

  databaseOf(name: DatabaseName): Daemon {
    return this.databases[NAMES.indexOf(name)]!
  }

  async #members(): Promise<ClusterMember[]> {
    for (const [n, database] of this.databases.entries()) {
      if (!database.isRunning) continue
      const reply = await fetch(`http://127.0.0.1:${this.#ports[n]?.patroni}/cluster`, {
        signal: AbortSignal.timeout(3000),
      }).catch(() => undefined)
      if (reply?.ok) return ((await reply.json()) as { members: ClusterMember[] }).members
    }
    return []
  }
}

/** The processes of a PostgreSQL. Patroni starts it in a session of its own. */
function postgresProcesses(folder: string): number[] {
  try {
    const pid = Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    return pid > 1 ? [pid, ...childrenOf(pid)] : []
  } catch {
    return []
  }
}

export const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connectSocket(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
