import { useEffect, useEffectEvent } from 'react'

const INITIAL_RETRY_DELAY_MS = 2_000
const MAX_RETRY_DELAY_MS = 30_000

/**
 * Watches a ticket for changes while its screen is open. `refetchTicket` requests the ticket and resolves with the URL
 * to watch from then on; undefined if the server could not be reached. Such a URL is valid for minutes: when a stream
 * ends, the ticket is requested again, at growing intervals while requests fail.
 */
export function useTicketWatch(watchUrl: string | undefined, refetchTicket: () => Promise<string | undefined>) {
  const refetch = useEffectEvent(refetchTicket)
  // Each reply brings another URL; the open stream is kept.
  const getUrl = useEffectEvent(() => watchUrl)
  const isKnownMember = watchUrl !== undefined
  useEffect(() => {
    if (!isKnownMember) return
    let url = getUrl()
    let stream: EventSource | undefined
    let timer = 0
    let retryDelayMs = INITIAL_RETRY_DELAY_MS
    const connect = () => {
      if (!url) return scheduleReconnect()
      stream = new EventSource(url)
      stream.addEventListener('ticket', () => {
        retryDelayMs = INITIAL_RETRY_DELAY_MS
        void refetch()
      })
      stream.addEventListener('error', () => {
        stream?.close()
        scheduleReconnect()
      })
    }
    const scheduleReconnect = () => {
      timer = window.setTimeout(async () => {
        url = await refetch()
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
