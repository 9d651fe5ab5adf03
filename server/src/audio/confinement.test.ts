import { fork } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confinedFlags } from './confinement.ts'

/** Tries every way out and tells what became of it: 'open', or the code of the refusal. */
const PROBE = `
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import fs from 'node:fs'
import http, { get } from 'node:http'
import http2 from 'node:http2'
import net, { connect } from 'node:net'
import tls from 'node:tls'
import { Worker } from 'node:worker_threads'
import { closeWaysOut } from '${path.join(import.meta.dirname, 'confinement.ts')}'

const over = (socket) => new Promise((resolve, reject) => socket.on('error', reject).on('connect', resolve))
const ways = ({ port, folder }) => ({
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
  'a file elsewhere': () => fs.writeFileSync(folder + '/../elsewhere', 'x'),
  'a link': () => fs.symlinkSync('/etc', folder + '/link'),
  'a file in its folder': () => fs.writeFileSync(folder + '/inside', 'x'),
  reading: () => fs.readFileSync(process.argv[1]),
})

process.on('message', async (asked) => {
  if (asked.closed) closeWaysOut()
  const found = {}
  for (const [name, go] of Object.entries(ways(asked))) {
    try {
      await go()
      found[name] = 'open'
    } catch (error) {
      found[name] = error.code ?? error.name
    }
  }
  process.send(found, () => process.exit())
})
`

/** The child of the product, asked the same. */
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
const folder = path.join(root, 'writable')
const probe = path.join(root, 'probe.mjs')
const child = path.join(root, 'child.mjs')
const server = net.createServer((socket) => socket.destroy()).on('connection', () => reached++)
let reached = 0

beforeAll(async () => {
  fs.mkdirSync(folder, { recursive: true })
  await build(PROBE, probe)
  await build(CHILD, child)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
  fs.rmSync(root, { recursive: true })
})

async function build(source: string, file: string): Promise<void> {
  const input = file.replace('.mjs', '-source.mjs')
  fs.writeFileSync(input, source)
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
}

type Found = Record<string, string>

function tryWaysOut(flags: string[], closed: 'closed' | 'open'): Promise<Found> {
  const child = fork(probe, [], { execArgv: flags, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const { port } = server.address() as net.AddressInfo
  child.send({ port, folder, closed: closed === 'closed' })
  return new Promise((resolve, reject) => {
    child
      .once('message', (found) => resolve(found as Found))
      .once('exit', (code) => reject(new Error(`ended: ${code}`)))
  })
}

const NETWORK = ['net.connect', 'a socket', 'tls', 'http.get', 'http2', 'a datagram', 'dns.lookup']
const REST = ['dns.promises', 'a server', 'a child process', 'a thread', 'an addon', 'a binding', 'a signal']

describe('the process that reads hostile files', () => {
  test('reaches no network, starts nothing, signals nobody and writes to its folder alone', async () => {
    const found = await tryWaysOut(confinedFlags(folder), 'closed')
    const denied = Object.fromEntries([...NETWORK, ...REST].map((name) => [name, expect.stringMatching(/^ERR_/)]))
    expect(found).toEqual({
      ...denied,
      fetch: 'ReferenceError',
      'a file elsewhere': 'ERR_ACCESS_DENIED',
      'a link': 'ERR_ACCESS_DENIED',
      'a file in its folder': 'open',
      reading: 'open',
    })
    expect(reached).toBe(0)
  })

  test('has closed the ways out before it is asked for a file', async () => {
    const analysing = fork(child, [], { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const told = new Promise((resolve, reject) => {
      analysing.once('exit', (code) => reject(new Error(`ended: ${code}`)))
      analysing.on('message', (message: object) => {
        if ('connect' in message) resolve(message.connect)
      })
    })
    analysing.send({ port: 1, path: '/nothing', options: {} })
    expect(await told).toBe('ERR_CONFINED')
    analysing.disconnect()
  })

  test('may write nothing when it was given no folder', async () => {
    const found = await tryWaysOut(confinedFlags(undefined), 'closed')
    expect([found['a file in its folder'], found.reading]).toEqual(['ERR_ACCESS_DENIED', 'open'])
  })

  test('could do all of it otherwise: the tries are real', async () => {
    const found = await tryWaysOut([], 'open')
    const open = ['net.connect', 'a socket', 'http2', 'dns.lookup', 'a datagram', 'a server', 'a child process']
    expect(open.map((name) => found[name])).toEqual(open.map(() => 'open'))
    expect(found['a file elsewhere']).toBe('open')
    expect(reached).toBeGreaterThan(0)
  })

  test('says nothing about how it was started', async () => {
    const child = fork(probe, [], {
      execArgv: confinedFlags(folder),
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const words: Buffer[] = []
    child.stderr?.on('data', (chunk) => words.push(chunk))
    child.send({ port: 1, folder, closed: true })
    await new Promise((resolve) => child.once('close', resolve))
    expect(Buffer.concat(words).toString()).toBe('')
  })
})
