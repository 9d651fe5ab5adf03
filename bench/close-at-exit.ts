type Close = () => Promise<void>

/** Keeps a list of what is open. See `closeAtExit` and `closeAll`. */
export function createClosing() {
  /** In the order in which it was opened. */
  const opened = new Set<Close>()
  let closing: Promise<void> | undefined

  function closeAtExit(close: Close): Close {
    let closed: Promise<void> | undefined
    const closeOnce = () => {
      closed ??= close().finally(() => opened.delete(closeOnce))
      return closed
    }
    opened.add(closeOnce)
    return closeOnce
  }

  async function closeEach() {
    for (const close of [...opened].reverse())
      await close().catch((error: unknown) => console.error('Could not be closed:', error))
  }

  const closeAll = (): Promise<void> => {
    closing ??= closeEach()
    return closing
  }

  return { closeAtExit, closeAll }
}

const closing = createClosing()

/**
 * Makes sure that something is closed when the benchmarks end, also if one of them fails or is stopped with Ctrl + C:
 * otherwise servers and databases would go on running. Returns a function that closes it once, however often it is
 * called.
 */
export const closeAtExit = closing.closeAtExit

/** Closes everything that is still open, the last opened first. An error does not keep the others open. */
export const closeAll = closing.closeAll
