import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wasmFiles } from '../../../scripts/wasm-files.mjs'
import { projectRoot } from '../platform/project-root.ts'
import { startAnalyser } from './analyser.ts'
import { SOURCE_FD, TARGET_FD } from './analyser-messages.ts'
import { confinedFlags } from './permission-flags.ts'

/**
 * Attempts every kind of system access and reports each as 'open', or with the error code. Its file says what to
 * attempt.
 */
const PROBE = `
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import fs from 'node:fs'
import http, { get } from 'node:http'
import http2 from 'node:http2'
import net, { connect } from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { blockSystemAccess } from '${path.join(import.meta.dirname, 'confinement.ts')}'

const over = (socket) => new Promise((resolve, reject) => socket.on('error', reject).on('connect', resolve))
const ways = ({ port, folder, own, other }) => ({
  'net.connect': () => over(connect(port, '127.0.0.1')),
  'a socket': () => over(new net.Socket().connect(port, '127.0.0.1')),
  tls: () => over(tls.connect(port, '127.0.0.1')),
  'http.get': () => over(get({ port, host: '127.0.0.1' }).on('response', () => {})),
  http2: () => over(http2.connect('http://127.0.0.1:' + port)),
  fetch: () => fetch('http://127.0.0.1:' + port, { method: 'PUT', body: 'x', signal: AbortSignal.timeout(500) }),
  'a datagram': () => new Promise((resolve) => dgram.createSocket('udp4').send('x', port, '127.0.0.1', resolve)),
  'dns.lookup': () => new Promise((resolve) => lookup('localhost', resolve)),
  'dns.promises': () => dns.promises.lookup('localhost'),
  'a server': () => new Promise((resolve) => net.createServer().listen(0, resolve)),
  'a child process': () => childProcess.execFileSync('true'),
  'a thread': () => new Worker('', { eval: true }),
  'an addon': () => process.dlopen({ exports: {} }, '/addon.node'),
  'a binding': () => process.binding('tcp_wrap'),
  'a signal': () => process.kill(process.ppid, 0),
  'a database': async () => new (await import('node:sqlite')).DatabaseSync(folder + '/database').exec('create table a (b)'),
  'writing a file': () => fs.writeFileSync(folder + '/new', 'x'),
  'writing its program': () => fs.appendFileSync(process.argv[1], ' '),
  'a link': () => fs.symlinkSync(other, folder + '/link'),
  'a hard link': () => fs.linkSync(other, folder + '/hard-link'),
  'a copy': () => fs.copyFileSync(other, folder + '/copy'),
  'another file': () => fs.readFileSync(other),
  'another file, by a path through its program': () => fs.readFileSync(path.dirname(process.argv[1]) + '/../'.repeat(20) + other),
  'another file, by its bytes': () => fs.readFileSync(Buffer.from(other)),
  'another file, by a URL': () => fs.readFileSync(pathToFileURL(other)),
  'another file, as a stream': () => over(fs.createReadStream(other).on('data', function () { this.emit('connect') })),
  'another file, by a promise': () => fs.promises.readFile(other),
  'another file, as a module': () => import(pathToFileURL(other)),
  'a link to another file': () => fs.readFileSync(folder + '/link-of-others'),
  'the names of files': () => fs.readdirSync(folder),
  'the rest of the checkout': () => fs.readFileSync(${JSON.stringify(path.join(projectRoot, 'package-lock.json'))}),
  passwords: () => fs.readFileSync('/etc/passwd'),
  'its own file, by its path': () => fs.readFileSync(own),
  'its own file, opened again': () => fs.readFileSync('/dev/fd/${SOURCE_FD}'),
  'its program': () => fs.readFileSync(process.argv[1]),
  'writing its file': () => fs.writeSync(${SOURCE_FD}, 'x'),
  'its file': () => fs.readSync(${SOURCE_FD}, Buffer.alloc(1), 0, 1, 0) === 1,
  'its preview': () => fs.writeSync(${TARGET_FD}, 'x'),
})

process.on('message', async () => {
  const asked = JSON.parse(fs.readFileSync(${SOURCE_FD}, 'utf8'))
  if (asked.isClosed) blockSystemAccess()
  const found = {}
  for (const [name, go] of Object.entries(ways(asked))) {
    try {
      await go()
      found[name] = 'open'
    } catch (error) {
      found[name] = error.code ?? error.name
    }
  }
  process.send({ kind: 'done', analysis: { found, environment: Object.keys(process.env) } })
})
process.on('disconnect', () => process.exit())
`

/** The product's child process, with the same attempts. */
const CHILD = `
import net from 'node:net'
import '${path.join(import.meta.dirname, 'analyser-child.ts')}'
process.on('message', ({ port }) => {
  try {
    net.connect(port, '127.0.0.1').on('error', () => {})
    process.send({ connect: 'open' })
  } catch (error) {
    process.send({ connect: error.code })
  }
})
`

const root = path.resolve('node_modules/.cache', `confinement-test-${process.pid}`)
const probe = path.join(root, 'probe', 'probe.mjs')
const child = path.join(root, 'child', 'child.mjs')
/** Like the folder of a pool's data, outside the program. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dubplate-confinement-'))
const own = path.join(folder, 'own.wav')
const other = path.join(folder, 'other.mjs')
const link = path.join(folder, 'link-of-others')
const preview = path.join(folder, 'own.mp3')
const server = net.createServer((socket) => socket.destroy()).on('connection', () => reached++)
let reached = 0

beforeAll(async () => {
  fs.writeFileSync(other, 'export default 1')
  fs.symlinkSync(other, link)
  await build(PROBE, probe)
  await build(CHILD, child)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
  for (const each of [root, folder]) fs.rmSync(each, { recursive: true })
})

async function build(source: string, file: string): Promise<void> {
  const input = path.join(root, `source-of-${path.basename(file)}`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(input, source)
  const bundle = await rolldown({
    input,
    platform: 'node',
    plugins: [wasmFiles()],
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
}

type ProbeResult = { found: Record<string, string>; environment: string[] }

function runProbe(isClosed: boolean): void {
  const { port } = server.address() as net.AddressInfo
  fs.writeFileSync(own, JSON.stringify({ port, folder, own, other, isClosed }))
}

/** Makes the analyser start the probe as its child process. */
async function probeSystemAccess(isClosed: boolean, flags?: readonly string[]): Promise<ProbeResult> {
  runProbe(isClosed)
  const options = {
    childPath: probe,
    size: 1,
    attempts: 1,
    freeBytes: async () => undefined,
    ...(flags ? { flags } : {}),
  }
  const analyser = startAnalyser(options)
  try {
    return (await analyser.analyse(own, { previewPath: preview })) as unknown as ProbeResult
  } finally {
    await analyser.stop()
  }
}

const NETWORK = ['net.connect', 'a socket', 'tls', 'http.get', 'http2', 'a datagram', 'dns.lookup']
const REST = [
  'dns.promises',
  'a server',
  'a child process',
  'a thread',
  'an addon',
  'a binding',
  'a signal',
  'a database',
]
const WRITING = ['writing a file', 'writing its program', 'a link', 'a hard link', 'a copy']
const READING = [
  'another file',
  'another file, by a path through its program',
  'another file, by its bytes',
  'another file, by a URL',
  'another file, as a stream',
  'another file, by a promise',
  'another file, as a module',
  'a link to another file',
  'the names of files',
  'the rest of the checkout',
  'passwords',
  'its own file, by its path',
  'its own file, opened again',
]
const PERMITTED = ['its file', 'its preview', 'its program']
const all = (names: string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]))

describe('the process that reads untrusted files', () => {
  test('reaches no network, starts and signals no process, opens no file and gets no secret', async () => {
    const { found, environment } = await probeSystemAccess(true)
    expect(found).toEqual({
      ...all([...NETWORK, ...REST], expect.stringMatching(/^ERR_/)),
      ...all([...WRITING, ...READING], 'ERR_ACCESS_DENIED'),
      ...all(PERMITTED, 'open'),
      fetch: 'ReferenceError',
      'writing its file': 'EBADF',
    })
    expect(reached).toBe(0)
    expect(environment).toEqual([])
  })

  test('has blocked system access before it receives a file', async () => {
    const analysing = fork(child, [], { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const connectResult = new Promise((resolve, reject) => {
      analysing.once('exit', (code) => reject(new Error(`ended: ${code}`)))
      analysing.on('message', (message: object) => {
        if ('connect' in message) resolve(message.connect)
      })
    })
    analysing.send({ port: 1, name: 'nothing', options: {} })
    expect(await connectResult).toBe('ERR_CONFINED')
    analysing.disconnect()
  })

  test('could do all of it without confinement, so the attempts are real', async () => {
    const { found } = await probeSystemAccess(false, [])
    const network = ['net.connect', 'a socket', 'http2', 'dns.lookup', 'a datagram', 'a server', 'a child process']
    const open = [...network, ...WRITING, ...READING, ...PERMITTED]
    expect(Object.fromEntries(open.map((name) => [name, found[name]]))).toEqual(all(open, 'open'))
    expect(reached).toBeGreaterThan(0)
  })

  test('does not expose how it was started', async () => {
    runProbe(true)
    const source = fs.openSync(own, 'r')
    const child = fork(probe, [], {
      execArgv: confinedFlags(probe),
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', source, 'ignore'],
    })
    fs.closeSync(source)
    const words: Buffer[] = []
    child.stderr?.on('data', (chunk) => words.push(chunk))
    child.once('message', () => child.disconnect())
    child.send({})
    await Promise.all([once(child, 'exit'), once(child.stderr!, 'end')])
    expect(Buffer.concat(words).toString()).toBe('')
  })
})
