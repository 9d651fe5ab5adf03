import type { ChildProcess } from 'node:child_process'

const MAX_LENGTH = 4000
const LAST_LINES = 3

/** What a process writes to stderr, which must be a pipe. */
export class ErrorOutput {
  #text = ''
  #isComplete = false

  constructor(child: ChildProcess) {
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#text = (this.#text + bytes).slice(-MAX_LENGTH)
    })
    child.once('error', (error) => {
      this.#isComplete = true
      this.#text += error.message
    })
    // Not `exit`, which may come before the last output was read.
    child.once('close', () => {
      this.#isComplete = true
    })
  }

  /** Whether the process has ended, or could not be started, and everything it wrote was read. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  get lastLines(): string {
    return this.#text.trim().split('\n').slice(-LAST_LINES).join(' ')
  }
}
