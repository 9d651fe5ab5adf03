import { useEffect, useRef } from 'react'

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/**
 * Hears when a ticket changes for as long as its screen is there. `askAnew` asks for the ticket and answers with where
 * its changes can be followed from then on; undefined where it could not be reached. An address of that kind lasts minutes:
 * when a stream ends the ticket is asked for again, ever less often while nothing answers.
 */
export function useTicketWatch(watchUrl: string | undefined, askAnew: () => Promise<string | undefined>) {
  const ask = useRef(askAnew)
  ask.current = askAnew
  const first = useRef(watchUrl)
  // Each answer brings another address; the stream that is open goes on.
  first.current ??= watchUrl
  const isKnown = watchUrl !== undefined
  useEffect(() => {
    if (!isKnown) return
    let url = first.current
    let stream: EventSource | undefined
    let timer = 0
    let pause_ms = FIRST_PAUSE_MS
    const follow = () => {
      if (!url) return wait()
      stream = new EventSource(url)
      stream.addEventListener('ticket', () => {
        pause_ms = FIRST_PAUSE_MS
        void ask.current()
      })
      stream.addEventListener('error', () => {
        stream?.close()
        wait()
      })
    }
    const wait = () => {
      timer = window.setTimeout(async () => {
        url = await ask.current()
        if (timer) follow()
      }, pause_ms)
      pause_ms = Math.min(LONGEST_PAUSE_MS, pause_ms * 1.5)
    }
    follow()
    return () => {
      clearTimeout(timer)
      timer = 0
      stream?.close()
    }
  }, [isKnown])
}
