import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { S3Client } from '@aws-sdk/client-s3'
import { unprivilegedAccount } from '../../server/src/platform/embedded-folders.ts'
import { program } from '../drill.ts'
import { statusOf } from '../pool-process.ts'
import { Ceph } from './ceph.ts'
import { ClusterFiles, runProgram } from './cluster-files.ts'
import { Daemon } from './daemon.ts'
import { DatabaseCluster, isListening } from './database-cluster.ts'
import { findFreePorts } from './ports.ts'
import { findPostgresFolder, findProgram } from './programs.ts'

/** The bucket of STORAGE_URL. */
export const BUCKET = 'music'

/** All programs of a pool on several machines, on this one. */
export class Cluster {
  readonly files: ClusterFiles
  readonly database: DatabaseCluster
  readonly ceph: Ceph
  readonly webs: Daemon[]
  readonly workers: Daemon[]
  readonly nginx: Daemon
  /** The URL that visitors use. */
  readonly origin: string
  /** The primary database, through HAProxy. */
  readonly databaseUrl: string
  /** The settings of a worker, for commands of `pool`. */
  readonly commandSettings: Record<string, string>
  readonly #s3Port: number
  readonly #s3User = { key: randomBytes(10).toString('hex'), secret: randomBytes(20).toString('hex') }

  static async create(folder: string): Promise<Cluster> {
    return new Cluster(folder, await findFreePorts(25))
  }

  private constructor(folder: string, free: number[]) {
    const take = () => free.pop() ?? 0
    const databases = [1, 2, 3].map(() => ({ client: take(), peer: take(), patroni: take(), postgres: take() }))
    const [primary, read, pooler, nginx, monitor, s3] = [take(), take(), take(), take(), take(), take()]
    const [webPorts, workerPorts] = [
      [take(), take()],
      [take(), take()],
    ]
    const local = (port: number | undefined) => `127.0.0.1:${port}`
    const password = randomBytes(12).toString('hex')
    const cephId = randomUUID()
    this.origin = `https://localhost:${nginx}`
    this.databaseUrl = `postgres://pool:${password}@${local(primary)}/pool`
    const numbered = databases.flatMap((ports, n) => [
      [`ETCD_CLIENT_${n + 1}`, local(ports.client)],
      [`ETCD_PEER_${n + 1}`, local(ports.peer)],
      [`POSTGRES_${n + 1}`, local(ports.postgres)],
      [`PATRONI_PORT_${n + 1}`, String(ports.patroni)],
    ])
    this.files = new ClusterFiles(folder, {
      ...Object.fromEntries(numbered),
      NETWORK: '127.0.0.0/8',
      BINARIES: findPostgresFolder() ?? '',
      WATCHDOG: 'off',
      SUPERUSER_PASSWORD: randomBytes(12).toString('hex'),
      REPLICATION_PASSWORD: randomBytes(12).toString('hex'),
      POOL_PASSWORD: password,
      HAPROXY_PRIMARY: local(primary),
      HAPROXY_READ: local(read),
      HAPROXY_HOST: '127.0.0.1',
      HAPROXY_PRIMARY_PORT: String(primary),
      HAPROXY_READ_PORT: String(read),
      PGBOUNCER_HOST: '127.0.0.1',
      PGBOUNCER_PORT: String(pooler),
      NGINX: local(nginx),
      NGINX_HOST: '127.0.0.1',
      SERVER_NAME: 'localhost',
      WEB_1: local(webPorts[0]),
      WEB_2: local(webPorts[1]),
      CEPH_ID: cephId,
      CEPH_MONITOR: local(monitor),
      S3: local(s3),
      S3_KEY: this.#s3User.key,
      S3_SECRET: this.#s3User.secret,
      SECRET: randomBytes(24).toString('hex'),
      PUBLIC_URL: this.origin,
    })
    this.database = new DatabaseCluster(this.files, unprivilegedAccount(), databases, { primary, read, pooler })
    this.ceph = new Ceph(this.files, cephId, { monitor, s3 })
    this.#s3Port = s3
    this.webs = webPorts.map((port, n) => {
      const name = `web${n + 1}`
      const { data } = this.files.create(name, [])
      const values = { DATA: data, WEB_HOST: '127.0.0.1', WEB_PORT: String(port) }
      const isReady = async () => (await statusOf(`http://127.0.0.1:${port}/readyz`, 2000)) === 200
      return this.#dubplate('web', name, this.files.settings('web.env', values), isReady)
    })
    this.workers = workerPorts.map((port, n) => {
      const name = `worker${n + 1}`
      const { data } = this.files.create(name, [])
      const values = { DATA: data, HEALTH_PORT: String(port) }
      const isReady = async () => (await statusOf(`http://127.0.0.1:${port}/readyz`, 2000)) === 200
      return this.#dubplate('worker', name, this.files.settings('worker.env', values), isReady)
    })
    const command = this.files.create('command', [])
    this.commandSettings = this.files.settings('worker.env', { DATA: command.data, HEALTH_PORT: '0' })
    this.nginx = this.#nginx(nginx)
  }

  async startDatabase(): Promise<void> {
    await this.database.start()
  }

  async startStorage(): Promise<void> {
    await this.ceph.create(this.#s3User)
    const { CreateBucketCommand } = await import('@aws-sdk/client-s3')
    const client = await this.openBucket()
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
    client.destroy()
  }

  /** A client of the S3 server, for the checks of the drill. */
  async openBucket(): Promise<S3Client> {
    const { S3Client: Client } = await import('@aws-sdk/client-s3')
    return new Client({
      endpoint: `http://127.0.0.1:${this.#s3Port}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: this.#s3User.key, secretAccessKey: this.#s3User.secret },
    })
  }

  async startPool(): Promise<void> {
    await Promise.all([...this.webs, ...this.workers].map((one) => one.start()))
    await this.nginx.start()
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    const { database } = this
    const first = [this.nginx, ...this.webs, ...this.workers]
    await Promise.all(first.map((daemon) => daemon.stop()))
    await Promise.all([
      this.ceph.kill(),
      ...[database.pgbouncer, database.haproxy, ...database.databases, ...database.etcds].map((one) => one.kill()),
    ])
  }

  #dubplate(
    script: 'web' | 'worker',
    name: string,
    env: Record<string, string>,
    isReady: () => Promise<boolean>,
  ): Daemon {
    const args = ['--enable-source-maps', program(script)]
    const settings = { ...env, LOG_LEVEL: 'info' }
    return new Daemon({ name, command: process.execPath, args, logFolder: this.files.folder, env: settings, isReady })
  }

  #nginx(port: number): Daemon {
    const { folder, config } = this.files.create('nginx', ['nginx.conf'])
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const main = [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      ...['daemon off;', 'worker_processes 1;', `pid ${folder}/pid;`, 'error_log stderr;'],
      ...['events { worker_connections 1024; }', 'http {', '  access_log off;'],
      ...kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`),
      ...[`  include ${config}/nginx.conf;`, '}'],
    ]
    writeFileSync(path.join(folder, 'main.conf'), main.join('\n'))
    const args = ['-p', folder, '-e', 'stderr', '-c', path.join(folder, 'main.conf')]
    const command = findProgram('nginx') ?? ''
    const isReady = () => isListening(port)
    return new Daemon({ name: 'nginx', command, args, logFolder: this.files.folder, isReady })
  }

  /** A certificate for localhost, which nginx reads at its start. */
  async createCertificate(): Promise<void> {
    const config = path.join(this.files.folder, 'nginx', 'config')
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', '/CN=localhost', '-keyout', `${config}/key.pem`, '-out', `${config}/certificate.pem`]
    await runProgram(findProgram('openssl') ?? '', ['req', ...kind, ...names])
  }
}
