import { catalogue } from '@dubplate/contract'
import { IconAdjustmentsHorizontal, IconChevronDown, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { count as formatCount } from '../format/format.ts'
import { format } from '../format/message.ts'
import { hasDjLibrary, useOwned } from '../ownLibrary/owned.ts'
import { useApiQuery } from '../platform/queries.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './FilterBar.module.css'
import type { ListSection } from './section.ts'
import { countOf } from './sectionTexts.ts'
import {
  type FilterSource,
  genresOf,
  NO_LIST_FILTER,
  PANEL_TITLES,
  PANELS,
  type PanelName,
  useFilterLabels,
  useSongFilter,
} from './songFilter.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

const loadPanels = () => import('./FilterPanels.tsx')
const FilterPanel = lazyOnDemand(() => loadPanels().then((code) => code.FilterPanel))
const FilterSheet = lazyOnDemand(() => loadPanels().then((code) => code.FilterSheet))

type Count = { totalCount: number; more?: boolean | undefined }

type Props = {
  source: FilterSource
  /** The number of songs that match; undefined while it is not known. */
  count: Count | undefined
}

type Switch = { name: 'fits' | 'fresh' | 'notOwned' | 'notInLibrary'; label: string; hint?: string; isOffered: boolean }

const SEARCH_FIELDS = [
  ['title', texts.title],
  ['artist', texts.artist],
] as const

const countText = ({ totalCount, more }: Count, section: ListSection) =>
  more ? format(texts.songCountOrMore, { count: formatCount(totalCount) }) : countOf(totalCount, section)

/** The filters of a list of songs. They apply at once and are in the URL. */
export function FilterBar({ source, count }: Props) {
  const { section: listSection, isList } = useSection()
  // Lists without sections, such as the crate, contain songs and kuts.
  const section = isList ? listSection : 'songs'
  const { address, filter, isMember, isPlaying } = useSongFilter()
  const hasLibrary = useOwned(hasDjLibrary)
  const { change } = useListAddress()
  const [open, setOpen] = useState<{ name: PanelName; opener: HTMLElement }>()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const chosenGenres = genresOf(address, source)
  const { data: options, error } = useApiQuery(
    catalogue.getFilterOptions,
    { ...source, filter: { ...filter, genres: chosenGenres } },
    {
      enabled: isSheetOpen || (open !== undefined && open.name !== 'bpm') || chosenGenres.length > 0,
      keepPrevious: true,
    },
  )
  const labels = useFilterLabels(address, source, options)
  const panels = PANELS.filter((name) => name !== 'genres' || source.list !== 'genre')
  const offered: Switch[] = [
    { name: 'fits', label: texts.fitsWhatsPlaying, hint: texts.fitsWhatsPlayingHint, isOffered: isPlaying },
    { name: 'fresh', label: texts.notDownloaded, isOffered: isMember },
    {
      name: 'notOwned',
      label: texts.notInMyDjLibrary,
      hint: texts.notInMyDjLibraryHint,
      isOffered: isMember && (hasLibrary || address.notOwned === 1),
    },
    { name: 'notInLibrary', label: texts.notSaved, hint: texts.notSavedHint, isOffered: isMember },
  ]
  const switches = offered.filter(({ name, isOffered }) => isOffered || (name === 'fits' && address.fits))
  const fields = SEARCH_FIELDS.filter(([name]) => source.list === 'search' && address[name])
  const applied =
    panels.filter((name) => labels[name]).length + switches.filter(({ name }) => address[name]).length + fields.length
  const clearPanel = (name: PanelName) =>
    change(name === 'genres' ? { genres: undefined, genre: undefined } : { [name]: undefined })
  const clear = () =>
    change(source.list === 'search' ? { ...NO_LIST_FILTER, title: undefined, artist: undefined } : NO_LIST_FILTER)
  const panel = { address, source, options, isFailed: error !== null && !options, onChange: change }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a flex container that scrolls
    <div
      className={css.bar}
      role="group"
      aria-label={texts.filters}
      onPointerEnter={() => void loadPanels().catch(() => undefined)}
    >
      <div className={css.pills}>
        <button
          type="button"
          className={css.pill}
          data-all
          data-applied={applied > 0 || undefined}
          aria-haspopup="dialog"
          onClick={() => setSheetOpen(true)}
        >
          <IconAdjustmentsHorizontal size={16} aria-hidden /> {texts.filters}
          {applied > 0 && <b>{applied}</b>}
        </button>
        {panels.map((name) => (
          <span key={name} className={css.pill} data-applied={labels[name] !== undefined || undefined}>
            <button
              type="button"
              aria-haspopup="dialog"
              aria-expanded={open?.name === name}
              onClick={({ currentTarget }) =>
                setOpen(open?.name === name ? undefined : { name, opener: currentTarget })
              }
            >
              {PANEL_TITLES[name]} {labels[name] ? <b>{labels[name]}</b> : <IconChevronDown size={14} aria-hidden />}
            </button>
            {labels[name] && (
              <ClearButton
                label={format(texts.clearFilter, { name: PANEL_TITLES[name] })}
                onClick={() => clearPanel(name)}
              />
            )}
          </span>
        ))}
        {fields.map(([name, label]) => (
          <span key={name} className={css.pill} data-applied>
            <span>
              {label} <b>{address[name]}</b>
            </span>
            <ClearButton
              label={format(texts.clearFilter, { name: label })}
              onClick={() => change({ [name]: undefined })}
            />
          </span>
        ))}
        {switches.map(({ name, label, hint }) => (
          <button
            key={name}
            type="button"
            className={css.pill}
            title={name === 'fits' && !isPlaying ? texts.playASongToSeeWhatFits : hint}
            aria-pressed={address[name] === 1}
            data-applied={address[name]}
            onClick={() => change({ [name]: address[name] ? undefined : 1 })}
          >
            {label}
          </button>
        ))}
        {applied > 0 && (
          <button type="button" className={css.clear} onClick={clear}>
            {texts.clear}
          </button>
        )}
      </div>
      <span className={css.count} aria-live="polite">
        {count && countText(count, section)}
      </span>
      {open && <FilterPanel {...panel} name={open.name} opener={open.opener} onClose={() => setOpen(undefined)} />}
      {isSheetOpen && (
        <FilterSheet
          {...panel}
          panels={panels}
          showText={count ? format(texts.showSongCount, { songs: countText(count, section) }) : texts.showResults}
          onClear={clear}
          onClose={() => setSheetOpen(false)}
        />
      )}
    </div>
  )
}

const ClearButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" aria-label={label} onClick={onClick}>
    <IconX size={13} stroke={2.2} aria-hidden />
  </button>
)
