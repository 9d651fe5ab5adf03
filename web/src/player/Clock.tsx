import { useRef } from 'react'
import { duration } from '../platform/format.ts'
import { soundDuration, soundPosition } from './audio.ts'
import css from './Clock.module.css'
import { useMoments } from './moments.ts'
import * as texts from './texts.ts'

/** Elapsed and remaining time. */
export function Clock({ inline = false }: { inline?: boolean }) {
  const elapsed = useRef<HTMLSpanElement>(null)
  const remaining = useRef<HTMLSpanElement>(null)
  useMoments(() => {
    write(elapsed.current, duration(soundPosition()))
    write(remaining.current, remainingTime())
  })
  return (
    <div className={css.clock} data-inline={inline || undefined}>
      <span ref={elapsed} title={texts.elapsed} data-testid="elapsed" />
      <span ref={remaining} title={texts.remaining} data-testid="remaining" className={css.remaining} />
    </div>
  )
}

/** '-1:15', nothing while nothing is in the player. Counts down in step with the elapsed seconds. */
const remainingTime = () => {
  if (!soundDuration()) return ''
  return `-${duration(Math.max(0, Math.floor(soundDuration()) - Math.floor(soundPosition())))}`
}

const write = (span: HTMLSpanElement | null, text: string) => {
  if (span && span.textContent !== text) span.textContent = text
}
