import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startCloudServer } from '../server/test/cloud-server.ts'
import { freePort } from '../server/test/free-port.ts'
import { startMailServer } from './mail-server.ts'

const ROOT = path.dirname(import.meta.dirname)
const READY_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000
/** The songs of the demo have the ids from 1 to this. */
export const DEMO_SONGS = 60

/** The address for replies to tickets. */
const INBOUND = 'help@pool.test'

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS)
  while (server.exitCode === null) {
    if (signal.aborted) throw new Error(`The server was not ready within ${READY_TIMEOUT_MS / 1000} s.`)
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.ok) return
    await pause(100)
  }
  throw new Error(`The server exited during startup with code ${server.exitCode}.`)
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) throw new Error(`The server exited unexpectedly with code ${server.exitCode}.`)
  const ended = once(server, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
  server.kill('SIGTERM')
  const [code] = await ended.catch(() => {
    server.kill('SIGKILL')
    throw new Error(`The server did not stop within ${STOP_TIMEOUT_MS / 1000} s of SIGTERM.`)
  })
  if (code !== 0) throw new Error(`The server stopped with code ${code}.`)
}

/** Starts the whole product for one run, as `npm start` does: own port and data folder, a small demo, real email. */
export default async function startPool(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-journeys-'))
  // As root, the embedded database runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const mailFolder = path.join(folder, 'mail')
  const mail = await startMailServer(mailFolder)
  const cloud = await startCloudServer()
  const inboundPort = await freePort()
  const music = path.join(folder, 'music')
  mkdirSync(music)
  const services = {
    STORE_URL: 'https://store.example/',
    SMTP_URL: mail.url,
    PUBLIC_URL: url,
    INBOUND_ADDRESS: INBOUND,
    INBOUND_SMTP_PORT: `${inboundPort}`,
    IMPORT_FOLDERS: music,
    DROPBOX_APP_KEY: cloud.app.clientId,
    DROPBOX_APP_SECRET: cloud.app.clientSecret,
    GOOGLE_DRIVE_CLIENT_ID: cloud.app.clientId,
    GOOGLE_DRIVE_CLIENT_SECRET: cloud.app.clientSecret,
    CLOUD_TEST_URL: cloud.url,
  }
  // Rendering takes seconds of CPU for each version, so only music that is played is rendered, and cached.
  const demo = {
    DEMO_SONGS: `${DEMO_SONGS}`,
    DEMO_MUSIC: 'on-demand',
    DEMO_CACHE: path.join(ROOT, 'node_modules/.cache/dubplate-demo-music'),
  }
  const env = { ...process.env, ...services, ...demo, PORT: `${port}`, DATA_DIR: folder, LOG_LEVEL: 'warn' }
  const server = spawn(process.execPath, ['server/dist/start.js'], { cwd: ROOT, env, stdio: 'inherit' })
  const close = async () => {
    try {
      await stop(server)
    } finally {
      await mail.close()
      await cloud.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  await waitUntilReady(url, server).catch(async (error) => {
    await close().catch(() => undefined)
    throw error
  })
  process.env.POOL_URL = url
  process.env.MAIL_FOLDER = mailFolder
  process.env.MUSIC_FOLDER = music
  process.env.CLOUD_URL = cloud.url
  process.env.INBOUND_URL = `smtp://127.0.0.1:${inboundPort}`
  return close
}
