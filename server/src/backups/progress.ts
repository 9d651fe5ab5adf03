/** How far a long piece of work is. */
export type ProgressReporter = {
  /** Of a new piece of so many steps; 0 where nobody knows. */
  begin(what: string, total: number): void
  done(): void
  end(): void
}

const LINE_EVERY_MS = 10_000
const REDRAWN_EVERY_MS = 200

/** One line that is drawn over on a terminal, a line every ten seconds anywhere else. */
export function showProgress(out: NodeJS.WriteStream): ProgressReporter {
  const intervalMs = out.isTTY ? REDRAWN_EVERY_MS : LINE_EVERY_MS
  let what = ''
  let total = 0
  let n = 0
  let lastPrintedAt = 0
  const print = () => {
    const line = `${what}: ${n.toLocaleString('en')}${total ? ` of ${total.toLocaleString('en')}` : ''}`
    out.write(out.isTTY ? `\r\u001b[K${line}` : `${line}\n`)
    lastPrintedAt = Date.now()
  }
  const finish = () => {
    if (what && (out.isTTY || Date.now() - lastPrintedAt > 0) && n > 0) print()
    if (what && out.isTTY) out.write('\r\u001b[K')
  }
  return {
    begin: (next, of) => {
      finish()
      what = next
      total = of
      n = 0
      lastPrintedAt = Date.now()
    },
    done: () => {
      n += 1
      if (Date.now() - lastPrintedAt >= intervalMs) print()
    },
    end: () => {
      finish()
      what = ''
    },
  }
}

/** For those who do not look. */
export const silentProgress: ProgressReporter = { begin: () => {}, done: () => {}, end: () => {} }
