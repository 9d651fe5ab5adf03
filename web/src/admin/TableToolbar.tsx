import { Button, CloseButton, Group, Menu, Popover } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDate, type Range, yearOfRange } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { DayRange } from '../ui/DayRange.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { cappedCount } from './cappedCount.ts'
import css from './TableToolbar.module.css'
import * as texts from './texts.ts'

type View<Value> = { value: Value; name: string; count?: number | undefined }

type ViewTabsProps<Value> = {
  label: string
  views: readonly View<Value>[]
  current: Value
  onChange: (value: Value) => void
}

/** The saved filters of a table, with the number of rows in each. */
export const ViewTabs = <Value extends string>({ label, views, current, onChange }: ViewTabsProps<Value>) => (
  <nav className={css.views} aria-label={label}>
    {views.map(({ value, name, count: n }) => (
      <button key={value} type="button" aria-pressed={value === current} onClick={() => onChange(value)}>
        {name} {n !== undefined && <span>{cappedCount(n)}</span>}
      </button>
    ))}
  </nav>
)

type ToolbarProps = {
  searchLabel: string
  search: string | undefined
  onSearch: (text: string | undefined) => void
  /** Menus of filters. */
  children?: ReactNode
  /** Buttons at the end: export. */
  tools?: ReactNode
}

/** The line above a table: its search, its filters, and further tools. */
export const TableToolbar = ({ searchLabel, search, onSearch, children, tools }: ToolbarProps) => (
  <search className={css.toolbar}>
    <SearchField label={searchLabel} value={search ?? ''} onSearch={onSearch} />
    <div className={css.filters}>{children}</div>
    {tools}
  </search>
)

type FilterMenuProps = {
  label: string
  options: readonly { value: string; name: string; count?: number | undefined }[]
  /** undefined: no filter. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A filter with one choice. A value that is not among the options, from a link, is one of them while it is applied. */
export function FilterMenu({ label, options, value, onChange }: FilterMenuProps) {
  const isListed = !value || options.some((option) => option.value === value)
  const choices = isListed ? options : [...options, { value, name: value }]
  return (
    <Menu position="bottom-start" width={220} shadow="none">
      <Menu.Target>
        <FilterButton label={label} value={choices.find((option) => option.value === value)?.name} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value ?? ''} onChange={(next) => onChange(next || undefined)}>
          <Menu.RadioItem value="">{texts.all}</Menu.RadioItem>
          {choices.map((option) => (
            <Menu.RadioItem
              key={option.value}
              value={option.value}
              rightSection={'count' in option && option.count !== undefined && cappedCount(option.count)}
            >
              {option.name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Opens the choices of a filter; its value if it is applied. Further properties come from the menu it opens. */
const FilterButton = ({ label, value, ...props }: { label: string; value: string | undefined }) => (
  <Button
    {...props}
    flex="none"
    px="md"
    variant="default"
    className={value ? css.applied : ''}
    rightSection={<IconChevronDown size={14} aria-hidden />}
  >
    <span>
      {label} {value && <b>{value}</b>}
    </span>
  </Button>
)

type FilterToggleProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** A filter that is either on or off. */
export const FilterToggle = ({ label, isOn, onChange }: FilterToggleProps) => (
  <Button
    flex="none"
    px="md"
    variant="default"
    className={isOn ? css.applied : ''}
    aria-pressed={isOn}
    onClick={() => onChange(!isOn)}
  >
    {label}
  </Button>
)

type DateFilterProps = { range: Range; onChange: (range: Range, replace: boolean) => void }

/** A filter by date: a year, or two days. */
export function DateFilter({ range, onChange }: DateFilterProps) {
  const { from, to } = range
  const days = from || to ? format(texts.dateRange, { from: dayText(from), to: dayText(to) }) : undefined
  return (
    <Popover position="bottom-start" width={340} shadow="none" trapFocus>
      <Popover.Target>
        <FilterButton label={texts.date} value={yearOfRange(range)?.toString() ?? days} />
      </Popover.Target>
      <Popover.Dropdown>
        <DayRange range={range} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}

const dayText = (day: string | undefined) => (day ? formatDate(day) : '…')

/** A filter that a link has set, such as one member: it can only be removed. */
export const AppliedFilter = ({ children, onRemove }: { children: ReactNode; onRemove: () => void }) => (
  <Group component="span" className={css.applied} wrap="nowrap" gap="xs" h={36} pl="md" pr={6}>
    {children}
    <CloseButton size="sm" aria-label={texts.removeFilter} onClick={onRemove} />
  </Group>
)
