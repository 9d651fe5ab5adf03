import type { catalogue } from '@dubplate/contract'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { type ChosenColumns, COLUMNS, type Column, isColumnOn, useListView } from './listView.ts'

/** Below this width a row shows one version and no columns, as in SongRow.module.css. */
const NARROW_LIST_PX = 640
const GAP = 8
const PADDING = 16
const MIN_TITLE = 260
/** Room for a chip and “+9”. */
const MIN_VERSIONS = 160
const [HANDLE, NUMBER, COVER, COMPACT_COVER, BPM, KEY, ACTIONS] = [24, 28, 44, 28, 50, 44, 84]

export type ListLayout = {
  /** The value of grid-template-columns. */
  template: string
  columns: readonly Column[]
  /** The room for version chips; 0 in a narrow list, which shows none. */
  versionsWidth: number
}

type Options = { chosen: ChosenColumns; hiddenColumn: Column | undefined; isCompact: boolean; hasHandle: boolean }

/** Which columns fit into a list, and how much of its width is left for the title and the versions. */
export function layoutFor(width: number, { chosen, hiddenColumn, isCompact, hasHandle }: Options): ListLayout {
  const lead = [...(hasHandle ? [HANDLE] : []), NUMBER, isCompact ? COMPACT_COVER : COVER]
  const fixed = [...lead, BPM, KEY, ACTIONS]
  let free = width - PADDING - fixed.reduce((sum, each) => sum + each + GAP, GAP)
  const fitting = COLUMNS.filter((column) => column.name !== hiddenColumn && isColumnOn(column, chosen, width))
    .toSorted(
      (a, b) => Number(chosen[b.name] ?? false) - Number(chosen[a.name] ?? false) || (a.from ?? 0) - (b.from ?? 0),
    )
    .filter((column) => {
      if (free - column.width - GAP < MIN_TITLE + MIN_VERSIONS) return false
      free -= column.width + GAP
      return true
    })
  const shown = COLUMNS.filter((column) => fitting.includes(column))
  const leastTitle = free < MIN_TITLE + MIN_VERSIONS ? free * 0.55 : MIN_TITLE
  const title = Math.round(Math.max(leastTitle, free * 0.4))
  const px = (columns: readonly number[]) => columns.map((column) => `${column}px`).join(' ')
  return {
    template: `${px([...lead, title])} minmax(0, 1fr) ${px([...shown.map((column) => column.width), BPM, KEY, ACTIONS])}`,
    columns: shown.map(({ name }) => name),
    versionsWidth: width < NARROW_LIST_PX ? 0 : Math.floor(free - title),
  }
}

/** The width of the last list, which the next one most likely has too; undefined before the first one. */
let lastWidth: number | undefined

/** The layout of a list, by its own width. Only the list is measured, never a row. */
export function useListLayout(list: RefObject<HTMLElement | null>, hasHandle: boolean, hiddenColumn?: Column) {
  const [width, setWidth] = useState(lastWidth ?? innerWidth)
  const { chosen, density } = useListView()
  useLayoutEffect(() => {
    if (!list.current) return
    const update = (now: number) => {
      if (now === 0) return
      lastWidth = now
      setWidth(now)
    }
    // React may paint before it renders what an observer reports, so the first list is measured at once.
    if (lastWidth === undefined) update(list.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => update(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [list])
  return { ...layoutFor(width, { chosen, hiddenColumn, isCompact: density === 'compact', hasHandle }), density }
}

const CHIP_GAP = 4
const MORE_WIDTH = 32 + CHIP_GAP
const OWNED_MARK = 18
/** The width of a chip without its mark: its buttons and padding, and about 5.6 px a letter. */
const plainChipWidth = ({ version_label }: catalogue.Version) => 76 + version_label.length * 5.6 + CHIP_GAP

type ChipOptions = {
  /** Versions with lower numbers are shown first if there is not enough space for all. */
  order: (version: catalogue.Version) => number
  /** Whether its chip has the mark of versions in the member's DJ library. */
  isOwned: (version: catalogue.Version) => boolean
}

/**
 * The versions whose chips fit into a width: those in the crate first, then the preferred one, then by their order.
 * They are shown in the fixed order of the song.
 */
export function visibleVersions(
  versions: catalogue.Version[],
  width: number,
  { order, isOwned }: ChipOptions,
): catalogue.Version[] {
  const chipWidth = (version: catalogue.Version) => plainChipWidth(version) + (isOwned(version) ? OWNED_MARK : 0)
  if (versions.reduce((sum, version) => sum + chipWidth(version), -CHIP_GAP) <= width) return versions
  let free = width - MORE_WIDTH + CHIP_GAP
  const chosen = new Set<catalogue.Version>()
  for (const version of versions.toSorted((a, b) => order(a) - order(b))) {
    if (chipWidth(version) > free) continue
    chosen.add(version)
    free -= chipWidth(version)
  }
  return versions.filter((version) => chosen.has(version))
}
