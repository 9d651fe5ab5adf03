import { decodePeaks, type Peaks } from '@dubplate/contract'
import { type RefObject, useEffect, useState } from 'react'
import { format } from '../format/message.ts'
import { usePreferences } from '../platform/preferences.ts'
import { drawPeaks } from './drawPeaks.ts'
import * as texts from './texts.ts'

const MAX_ATTEMPTS = 120
const RETRY_AFTER_MS = 1_000

/** Where a waveform is, and of how many lanes it consists: see `decodePeaks`. */
type Source = { address: string | undefined; lanes: 3 | 4 }

/**
 * Fetches the waveform of a version. One that has not been analysed yet (202, 404) is requested again every second, up
 * to two minutes. Rejects if it does not appear, is invalid, or the signal aborts.
 */
const fetchPeaks = async (address: string, lanes: 3 | 4, signal: AbortSignal): Promise<Peaks> => {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const response = await fetch(address, { signal })
    if (response.status === 200) return decodePeaks(new Uint8Array(await response.arrayBuffer()), lanes)
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
export const usePeaks = ({ address, lanes }: Source): Peaks | undefined => {
  const [loaded, setLoaded] = useState<{ address: string; peaks: Peaks }>()
  useEffect(() => {
    if (!address) return
    const stop = new AbortController()
    fetchPeaks(address, lanes, stop.signal).then(
      (peaks) => setLoaded({ address, peaks }),
      // The flat line stays, and still seeks.
      () => undefined,
    )
    return () => stop.abort()
  }, [address, lanes])
  return loaded?.address === address ? loaded?.peaks : undefined
}

/** Draws a whole waveform at the size of its canvas; again for each size and theme, because a canvas keeps its colours. */
export const useDrawnPeaks = (canvas: RefObject<HTMLCanvasElement | null>, peaks: Peaks | undefined) => {
  const scheme = usePreferences((preferences) => preferences.scheme)
  // The colours of the theme are read from the page's own styles.
  useEffect(() => {
    const element = canvas.current
    if (!element || !peaks) return
    const observer = new ResizeObserver(() => drawPeaks(element, peaks))
    observer.observe(element)
    return () => observer.disconnect()
  }, [canvas, peaks, scheme])
}
