import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Ctrl+C was pressed at a prompt. */
export class InterruptedError extends Error {}

/**
 * Prompts for one line. On a terminal the input is hidden; otherwise the first line of standard input is read. Throws
 * InterruptedError on Ctrl+C, so that the caller can clean up.
 */
export function readHiddenLine(context: string): Promise<string> {
  const isTerminal = Boolean(process.stdin.isTTY)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  if (isTerminal) process.stderr.write(context)
  return new Promise((resolve, reject) => {
    let line = ''
    lines.once('line', (answer) => {
      line = answer
      lines.close()
    })
    lines.once('SIGINT', () => {
      reject(new InterruptedError('Interrupted.'))
      lines.close()
    })
    lines.once('close', () => {
      if (isTerminal) process.stderr.write('\n')
      resolve(line)
    })
  })
}
