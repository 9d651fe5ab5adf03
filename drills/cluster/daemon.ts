import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SystemAccount } from '../../server/src/platform/embedded-folders.ts'
import { signal } from '../pool-process.ts'

export type DaemonOptions = {
  name: string
  command: string
  args: string[]
  /** Its output goes to a file of this folder: NAME.log. */
  logFolder: string
  account?: SystemAccount
  env?: Record<string, string>
  /** Other processes that are killed with it, such as the PostgreSQL that Patroni has started. */
  otherProcesses?: () => number[]
  isReady: () => Promise<boolean>
}

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000

/** A program that a drill starts, kills and starts again. */
export class Daemon {
  readonly name: string
  readonly #options: DaemonOptions
  #child: ChildProcess | undefined

  constructor(options: DaemonOptions) {
    this.name = options.name
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get logFile(): string {
    return path.join(this.#options.logFolder, `${this.name}.log`)
  }

  /** Starts the program without waiting for it. */
  launch(): void {
    const { command, args, account, env } = this.#options
    const log = openSync(this.logFile, 'a')
    this.#child = spawn(command, args, {
      ...account,
      cwd: '/',
      // Its own process group, so that a kill reaches its child processes too.
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: '/tmp', ...env },
    })
    closeSync(log)
  }

  /** Waits until the program works. Throws an Error with its last output if it ends or takes too long. */
  async untilReady(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!(await this.#options.isReady())) {
      if (!this.isRunning) throw new Error(`${this.name} ended:\n${this.lastLines()}`)
      if (performance.now() > deadline) throw new Error(`${this.name} is not ready:\n${this.lastLines()}`)
      await pause(100)
    }
  }

  async start(): Promise<void> {
    this.launch()
    await this.untilReady()
  }

  /** Kills it and its other processes at once, like a machine that loses power. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child?.pid || !this.isRunning) return
    const exited = once(child, 'exit')
    signal([-child.pid, ...(this.#options.otherProcesses?.() ?? [])], 'SIGKILL')
    await exited
  }

  /** Ends it with SIGTERM, and with SIGKILL if it does not end by itself. */
  async stop(): Promise<void> {
    const child = this.#child
    if (!child?.pid || !this.isRunning) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([exited, pause(STOP_TIMEOUT_MS, undefined, { ref: false })])
    await this.kill()
  }

  lastLines(count = 20): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
  }
}
