import { TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import * as texts from '../texts.ts'
import css from './Account.module.css'
import { findPlaceByName, type Place, searchPlaces } from './searchPlaces.ts'

type Props = {
  label: string
  /** The name of the form field. */
  name: string
  autoComplete: string
  places: Place[]
  /** The id of the chosen place, '' for none. */
  chosen: string
  error: ReactNode
  onChoose: (id: string) => void
}

/**
 * A combobox for one place of a list (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, with manual selection). Text
 * that is typed but not chosen is discarded.
 */
export function PlaceField({ label, name, autoComplete, places, chosen, error, onChoose }: Props) {
  const listId = useId()
  const nameOf = (id: string) => places.find((place) => place.id === id)?.name ?? ''
  const [isOpen, setOpen] = useState(false)
  /** Undefined until something is typed: the field then shows the chosen place, and the list all of them. */
  const [typed, setTyped] = useState<string>()
  const [activeIndex, setActiveIndex] = useState(0)
  const matches = searchPlaces(places, typed ?? '')

  const open = () => {
    if (isOpen || places.length === 0) return
    setOpen(true)
    // If nothing is chosen yet, the first place becomes active.
    const chosenAt = places.findIndex(({ id }) => id === chosen)
    setActiveIndex(Math.max(0, chosenAt))
  }
  const close = () => {
    setOpen(false)
    setTyped(undefined)
  }
  const choose = (place: Place | undefined) => {
    close()
    if (place && place.id !== chosen) onChoose(place.id)
  }
  const type = (text: string) => {
    setOpen(true)
    setTyped(text)
    setActiveIndex(0)
  }
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: activeIndex + 1, ArrowUp: activeIndex - 1 + matches.length }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      return isOpen ? setActiveIndex(matches.length ? to % matches.length : 0) : open()
    }
    if (!isOpen) return
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Enter' && matches.length) choose(matches[activeIndex])
    if (event.key === 'Escape') close()
  }

  return (
    <div style={{ position: 'relative' }}>
      <TextInput
        label={label}
        data-path={name}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && matches[activeIndex] ? `${listId}-${matches[activeIndex].id}` : undefined}
        autoComplete={autoComplete}
        spellCheck={false}
        disabled={places.length === 0}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        value={typed ?? nameOf(chosen)}
        error={error}
        onClick={open}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKey}
        onBlur={() => choose(findPlaceByName(places, typed ?? ''))}
      />
      {isOpen && (
        <PlaceOptions id={listId} label={label} places={matches} at={activeIndex} chosen={chosen} onChoose={choose} />
      )}
    </div>
  )
}

type ChoicesProps = {
  id: string
  label: string
  places: Place[]
  at: number
  chosen: string
  onChoose: (place: Place) => void
}

function PlaceOptions({ id, label, places, at: activeIndex, chosen, onChoose }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null)
  const [isAbove, setAbove] = useState(false)
  useLayoutEffect(() => setAbove(isCovered(list.current)), [])
  // Scrolls to the active place when the arrow keys change it.
  useEffect(
    () => void list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' }),
    [activeIndex],
  )
  if (places.length === 0)
    return (
      <div className={css.places} role="status">
        <p className={css.place}>{texts.noMatches}</p>
      </div>
    )
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={css.places} data-above={isAbove || undefined}>
      {places.map((place, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field answers the keys
        <div
          key={place.id}
          className={css.place}
          id={`${id}-${place.id}`}
          role="option"
          aria-selected={place.id === chosen}
          data-active={n === activeIndex || undefined}
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(place)}
        >
          {place.name}
        </div>
      ))}
    </div>
  )
}

/** Whether a list extends below the visible part of the page, which ends above the player. */
function isCovered(list: HTMLElement | null): boolean {
  const footerPx = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0
  return list !== null && list.getBoundingClientRect().bottom > innerHeight - footerPx
}
