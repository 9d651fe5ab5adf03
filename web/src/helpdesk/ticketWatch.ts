import { useEffect, useRef } from 'react'

const INITIAL_RETRY_DELAY_MS = 2_000
const MAX_RETRY_DELAY_MS = 30_000

/**
 * Hears when a ticket changes for as long as its screen is there. `askAnew` asks for the ticket and answers with where
 * its changes can be followed from then on; undefined where it could not be reached. An address of that kind lasts minutes:
 * when a stream ends the ticket is asked for again, ever less often while nothing answers.
 */
export function useTicketWatch(watchUrl: string | undefined, refetchTicket: () => Promise<string | undefined>) {
  const ask = useRef(refetchTicket)
  ask.current = refetchTicket
  const first = useRef(watchUrl)
  // Each answer brings another address; the stream that is open goes on.
  first.current ??= watchUrl
  const isKnownMember = watchUrl !== undefined
  useEffect(() => {
    if (!isKnownMember) return
    let url = first.current
    let stream: EventSource | undefined
    let timer = 0
    let retryDelayMs = INITIAL_RETRY_DELAY_MS
    const connect = () => {
      if (!url) return scheduleReconnect()
      stream = new EventSource(url)
      stream.addEventListener('ticket', () => {
        retryDelayMs = INITIAL_RETRY_DELAY_MS
        void ask.current()
      })
      stream.addEventListener('error', () => {
        stream?.close()
        scheduleReconnect()
      })
    }
    const scheduleReconnect = () => {
      timer = window.setTimeout(async () => {
        url = await ask.current()
        if (timer) connect()
      }, retryDelayMs)
      retryDelayMs = Math.min(MAX_RETRY_DELAY_MS, retryDelayMs * 1.5)
    }
    connect()
    return () => {
      clearTimeout(timer)
      timer = 0
      stream?.close()
    }
  }, [isKnownMember])
}
