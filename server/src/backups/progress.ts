/** Reports the progress of a long operation. */
export type ProgressReporter = {
  /** Starts a step with this many items; 0 when unknown. */
  begin(what: string, total: number): void
  done(): void
  end(): void
}

const LINE_EVERY_MS = 10_000
const REDRAWN_EVERY_MS = 200

/** Shows one line, redrawn on a terminal, or printed every ten seconds anywhere else. */
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

/** For operations that show no progress. */
export const silentProgress: ProgressReporter = { begin: () => {}, done: () => {}, end: () => {} }
