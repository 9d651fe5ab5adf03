import { IconCheck } from '@tabler/icons-react'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import css from './Menu.module.css'

const MARGIN_PX = 8

export type Point = { x: number; y: number }

type Props = {
  label: string
  /** The position in px of the viewport; moved as far as needed to be completely visible. */
  at: Point
  onClose: () => void
  /** The element that gets the focus back. */
  returnTo: HTMLElement | null
  children: ReactNode
}

const CloseContext = createContext<() => void>(() => undefined)

/**
 * A menu over the page, positioned at its opener: arrow keys move; Escape, Tab and a click outside close it. On a phone
 * it is a sheet at the bottom.
 */
export function Menu({ label, at, onClose, returnTo, children }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const close = () => {
    onClose()
    returnTo?.focus({ preventScroll: true })
  }
  usePosition(container, at)
  useCloseOnOutsideClick(container, returnTo, onClose)
  useEffect(() => itemsOf(container.current)[0]?.focus({ preventScroll: true }), [])
  return createPortal(
    <>
      <div className={css.shade} />
      <div
        ref={container}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={css.menu}
        onKeyDown={(event) => handleKey(event, container.current, close)}
      >
        <CloseContext value={close}>{children}</CloseContext>
      </div>
    </>,
    document.getElementById('main') ?? document.body,
  )
}

const itemsOf = (container: HTMLElement | null) => [
  ...(container?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
]

function handleKey(event: KeyboardEvent, container: HTMLElement | null, close: () => void) {
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault()
    return close()
  }
  const items = itemsOf(container)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

type ContainerRef = RefObject<HTMLDivElement | null>

/** Positions a layer at a point, moved as far as needed to be completely visible. */
export function usePosition(container: ContainerRef, { x, y }: Point) {
  useLayoutEffect(() => {
    const menu = container.current
    if (!menu) return
    const { width, height } = menu.getBoundingClientRect()
    Object.assign(menu.style, {
      left: `${Math.max(MARGIN_PX, Math.min(x, innerWidth - width - MARGIN_PX))}px`,
      top: `${Math.max(MARGIN_PX, Math.min(y, innerHeight - height - MARGIN_PX))}px`,
    })
  }, [container, x, y])
}

/**
 * Closes on a click outside, and when the page scrolls under the menu. The button that opened it handles its own
 * clicks.
 */
export function useCloseOnOutsideClick(container: ContainerRef, opener: HTMLElement | null, onClose: () => void) {
  useEffect(() => {
    const handlePointerDown = ({ target }: Event) => {
      if (![container.current, opener].some((own) => own?.contains(target as Node))) onClose()
    }
    addEventListener('pointerdown', handlePointerDown, true)
    addEventListener('wheel', handlePointerDown, { passive: true })
    addEventListener('resize', onClose)
    return () => {
      removeEventListener('pointerdown', handlePointerDown, true)
      removeEventListener('wheel', handlePointerDown)
      removeEventListener('resize', onClose)
    }
  }, [container, opener, onClose])
}

type ItemProps = { icon?: ReactNode; onSelect: () => void; children: ReactNode }

export function MenuItem({ icon, onSelect, children }: ItemProps) {
  const close = useContext(CloseContext)
  const select = () => {
    close()
    onSelect()
  }
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={css.item} onClick={select}>
      <span aria-hidden>{icon}</span>
      {children}
    </button>
  )
}

/** One of several choices; the menu stays open, so that the choice is visible. */
export const MenuChoice = ({ chosen, onSelect, children }: ItemProps & { chosen: boolean }) => (
  <button
    type="button"
    role="menuitemradio"
    aria-checked={chosen}
    tabIndex={-1}
    className={css.item}
    onClick={onSelect}
  >
    <span aria-hidden>{chosen && <IconCheck size={16} />}</span>
    {children}
  </button>
)

/** An option that is on or off; the menu stays open, so that several can be set. */
export const MenuCheck = ({ checked, onSelect, children }: ItemProps & { checked: boolean }) => (
  <button
    type="button"
    role="menuitemcheckbox"
    aria-checked={checked}
    tabIndex={-1}
    className={css.item}
    onClick={onSelect}
  >
    <span aria-hidden>{checked && <IconCheck size={16} />}</span>
    {children}
  </button>
)

/** Items that belong together, below a title or a divider. */
export const MenuGroup = ({ title, children }: { title?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a menu may not contain a fieldset
  <div role="group" aria-label={title} className={css.group}>
    {title && (
      <div aria-hidden className={css.title}>
        {title}
      </div>
    )}
    {children}
  </div>
)
