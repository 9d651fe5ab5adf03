import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { statusOf } from '../pool-process.ts'
import { type ClusterFiles, type ProgramHome, runProgram } from './cluster-files.ts'
import { Daemon } from './daemon.ts'
import { findProgram } from './programs.ts'

const START_TIMEOUT_MS = 120_000

const KEYS: [name: string, ...caps: string[]][] = [
  ['mon.', 'mon', 'allow *'],
  ['client.admin', 'mon', 'allow *', 'osd', 'allow *', 'mgr', 'allow *'],
  ['client.rgw', 'mon', 'allow rw', 'osd', 'allow rwx'],
  ['osd.0', 'mon', 'allow profile osd', 'osd', 'allow *'],
]

/** A Ceph cluster with one monitor, one disk in a file and one S3 gateway. */
export class Ceph {
  readonly #daemons: Daemon[]
  readonly #home: ProgramHome
  readonly #configArgs: string[]
  readonly #clusterId: string
  readonly #monitorPort: number

  constructor(files: ClusterFiles, clusterId: string, ports: { monitor: number; s3: number }) {
    this.#clusterId = clusterId
    this.#monitorPort = ports.monitor
    this.#home = files.create('ceph', ['ceph.conf'])
    this.#configArgs = ['-c', path.join(this.#home.config, 'ceph.conf')]
    const [logFolder, { s3 }] = [files.folder, ports]
    const alwaysReady = async () => true
    const daemon = (name: string, args: string[], isReady: () => Promise<boolean>) =>
      new Daemon({
        ...{ name, logFolder, isReady, command: findProgram(name) ?? '' },
        args: [...this.#configArgs, ...args, '-f'],
      })
    this.#daemons = [
      daemon('ceph-mon', ['-i', 'a'], alwaysReady),
      daemon('ceph-osd', ['-i', '0'], alwaysReady),
      daemon('radosgw', ['-n', 'client.rgw'], async () => (await statusOf(`http://127.0.0.1:${s3}/`, 2000)) === 200),
    ]
  }

  /** Creates the cluster and a user of the gateway with these keys, and starts it. */
  async create(user: { key: string; secret: string }): Promise<void> {
    const { data } = this.#home
    const run = (name: string, ...args: string[]) => runProgram(findProgram(name) ?? name, args)
    const [keyring, map] = [path.join(data, 'keyring'), path.join(data, 'monmap')]
    for (const [n, [name, ...caps]] of KEYS.entries()) {
      const capArgs = Array.from({ length: caps.length / 2 }, (_, i) => [
        '--cap',
        caps[2 * i]!,
        caps[2 * i + 1]!,
      ]).flat()
      await run('ceph-authtool', ...(n === 0 ? ['--create-keyring'] : []), keyring, '--gen-key', '-n', name, ...capArgs)
    }
    for (const folder of ['mon', 'osd', 'rgw']) mkdirSync(path.join(data, folder))
    const address = `[v2:127.0.0.1:${this.#monitorPort}]`
    await run('monmaptool', '--create', '--fsid', this.#clusterId, '--addv', 'a', address, map)
    await run('ceph-mon', ...this.#configArgs, '-i', 'a', '--mkfs', '--monmap', map, '--keyring', keyring)
    const [monitor, disk, gateway] = this.#daemons
    await monitor?.start()
    const diskId = randomUUID()
    await run('ceph', ...this.#configArgs, '--connect-timeout', '60', 'osd', 'new', diskId)
    await run('ceph-osd', ...this.#configArgs, '-i', '0', '--mkfs', '--osd-uuid', diskId)
    await disk?.start()
    await this.#untilDiskIsUp()
    const keys = ['--access-key', user.key, '--secret-key', user.secret]
    const userArgs = ['user', 'create', '--uid', 'pool', '--display-name', 'Pool', ...keys]
    // Its own socket name: the gateway uses the one of client.rgw.
    await run(
      'radosgw-admin',
      ...this.#configArgs,
      '-n',
      'client.rgw',
      '--admin-socket',
      `${data}/admin.asok`,
      ...userArgs,
    )
    await gateway?.start()
  }

  /** Starts it again after a kill. */
  async start(): Promise<void> {
    for (const daemon of this.#daemons) daemon.launch()
    for (const daemon of this.#daemons) await daemon.untilReady()
  }

  async kill(): Promise<void> {
    await Promise.all(this.#daemons.map((daemon) => daemon.kill()))
  }

  async #untilDiskIsUp(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS
    const ceph = findProgram('ceph') ?? 'ceph'
    const args = [...this.#configArgs, '--connect-timeout', '10', 'osd', 'stat']
    while (!/\b1 up\b/.test(await runProgram(ceph, args))) {
      if (performance.now() > deadline) throw new Error('The disk of the Ceph cluster did not start.')
      await pause(300)
    }
  }
}
