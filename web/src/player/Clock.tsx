import { useRef } from 'react'
import { formatDuration } from '../format/format.ts'
import { soundDuration, soundPosition } from './audio.ts'
import css from './Clock.module.css'
import * as texts from './texts.ts'
import { useAudioPosition } from './useAudioPosition.ts'

/** Elapsed and remaining time. */
export function Clock({ inline: isInline = false }: { inline?: boolean }) {
  const elapsed = useRef<HTMLSpanElement>(null)
  const remaining = useRef<HTMLSpanElement>(null)
  useAudioPosition(() => {
    write(elapsed.current, formatDuration(soundPosition()))
    // Changes at the same moment as the elapsed seconds.
    const left = Math.max(0, Math.floor(soundDuration()) - Math.floor(soundPosition()))
    write(remaining.current, `−${formatDuration(left)}`)
  })
  return (
    <div className={css.clock} data-inline={isInline || undefined}>
      <span ref={elapsed} title={texts.elapsed} data-testid="elapsed" />
      <span ref={remaining} title={texts.remaining} data-testid="remaining" />
    </div>
  )
}

const write = (span: HTMLSpanElement | null, text: string) => {
  if (span && span.textContent !== text) span.textContent = text
}
