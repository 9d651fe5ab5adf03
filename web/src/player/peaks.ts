import { decodePeaks, type Peaks } from '@dubplate/contract'
import { useEffect, useState } from 'react'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

const MAX_ATTEMPTS = 120
const RETRY_AFTER_MS = 1_000

/**
 * Fetches the waveform of a version. One that has not been analysed yet (202, 404) is requested again every second, ten
 * times. Rejects if it does not appear, is invalid, or the signal aborts.
 */
const fetchPeaks = async (address: string, signal: AbortSignal): Promise<Peaks> => {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const response = await fetch(address, { signal })
    if (response.status === 200) return decodePeaks(new Uint8Array(await response.arrayBuffer()))
    if (response.status !== 202 && response.status !== 404) break
    await pause(RETRY_AFTER_MS, signal)
  }
  throw new Error(format(texts.couldntLoadTheWaveform, { address }))
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** The waveform at a URL, undefined until it has loaded. */
export const usePeaks = (address: string | undefined): Peaks | undefined => {
  const [loaded, setLoaded] = useState<{ address: string; peaks: Peaks }>()
  useEffect(() => {
    if (!address) return
    const stop = new AbortController()
    fetchPeaks(address, stop.signal).then(
      (peaks) => setLoaded({ address, peaks }),
      // The flat line stays, and still seeks.
      () => undefined,
    )
    return () => stop.abort()
  }, [address])
  return loaded?.address === address ? loaded?.peaks : undefined
}
