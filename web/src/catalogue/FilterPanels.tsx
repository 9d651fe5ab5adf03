import { IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { BpmPanel } from './BpmPanel.tsx'
import css from './FilterPanels.module.css'
import { KeyPanel } from './KeyPanel.tsx'
import { OptionsPanel } from './OptionsPanel.tsx'
import { type FilterPanelProps, PANEL_TITLES, type PanelName } from './songFilter.ts'
import * as texts from './texts.ts'

function Panel(props: FilterPanelProps & { name: PanelName }) {
  if (props.name === 'bpm') return <BpmPanel {...props} />
  return props.name === 'key' ? <KeyPanel {...props} /> : <OptionsPanel {...props} />
}

const PANEL_WIDTH = 280
const MARGIN = 8

/** The panel under a pill. Escape, a click outside and moving the focus out of it close it. */
export function FilterPanel({
  name,
  opener,
  onClose,
  ...panel
}: FilterPanelProps & { name: PanelName; opener: HTMLElement; onClose: () => void }) {
  const container = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const place = () => {
      const { left, bottom } = (opener.parentElement ?? opener).getBoundingClientRect()
      const x = Math.max(MARGIN, Math.min(left, document.documentElement.clientWidth - PANEL_WIDTH - MARGIN))
      const height = container.current?.offsetHeight ?? 0
      const y = Math.max(MARGIN, Math.min(bottom + MARGIN, innerHeight - height - MARGIN))
      container.current?.style.setProperty('translate', `${x}px ${y}px`)
    }
    place()
    // Options that arrive later make the panel higher.
    const observer = new ResizeObserver(place)
    if (container.current) observer.observe(container.current)
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [opener])
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !container.current?.contains(target) && !opener.contains(target)) close()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('focusin', onPress)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('focusin', onPress)
    }
  }, [opener])
  useEffect(
    () => container.current?.querySelector<HTMLElement>('input, [tabindex="0"]')?.focus({ preventScroll: true }),
    [],
  )
  return createPortal(
    <div
      ref={container}
      key={name}
      role="dialog"
      aria-label={PANEL_TITLES[name]}
      className={css.popover}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        opener.focus()
        onClose()
      }}
    >
      <Panel {...panel} name={name} />
    </div>,
    document.getElementById('main') ?? document.body,
  )
}

type SheetProps = FilterPanelProps & {
  panels: readonly PanelName[]
  /** “Show 7 songs” */
  showText: string
  onClear: () => void
  onClose: () => void
}

/** All filters in a sheet at the bottom, for phones. */
export function FilterSheet({ panels, showText, onClear, onClose, ...panel }: SheetProps) {
  const sheet = useRef<HTMLDialogElement>(null)
  useEffect(() => sheet.current?.showModal(), [])
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={sheet}
      className={css.sheet}
      aria-label={texts.filters}
      onClose={onClose}
      onClick={(event) => event.target === sheet.current && onClose()}
    >
      <div className={css.sheetHead}>
        <h2>{texts.filters}</h2>
        <IconButton label={texts.close} onClick={onClose}>
          <IconX size={20} />
        </IconButton>
      </div>
      <div className={css.sheetBody}>
        {panels.map((name) => (
          <section key={name}>
            <h3>{PANEL_TITLES[name]}</h3>
            <Panel {...panel} name={name} />
          </section>
        ))}
      </div>
      <div className={css.sheetEnd}>
        <Button onClick={onClear}>{texts.clearAll}</Button>
        <Button variant="primary" onClick={onClose}>
          {showText}
        </Button>
      </div>
    </dialog>,
    document.body,
  )
}
