import type { Endpoint } from '@dubplate/contract'
import { ActionIcon, Skeleton, Stack } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './OrderedList.module.css'
import { type RowAction, RowMenu } from './RowMenu.tsx'
import * as texts from './texts.ts'
import { type ItemOrder, useItemOrder } from './useItemOrder.ts'

type Props<Item, List extends Endpoint> = {
  order: ItemOrder<Item, List>
  /** What the list contains, for screen readers: 'Plans'. */
  name: string
  /** Undefined while they are loading. */
  items: readonly Item[] | undefined
  query: { error: Error | null; refetch: () => unknown }
  /** 'Couldn’t load the plans' */
  errorTitle: string
  idOf: (item: Item) => string | number
  /** What the row is about: `MainCell`. A click on it opens the row. */
  children: (item: Item) => ReactNode
  /** Shown after it: a status, a switch. */
  details?: (item: Item) => ReactNode
  /** Whether it belongs to an item above it. */
  isNested?: (item: Item) => boolean
  /** The row that is shown in the side panel. */
  openId?: string | number | undefined
  onOpen: (item: Item) => void
  actions: readonly RowAction<Item>[]
  empty: { icon: ReactNode; title: string; text: ReactNode; action?: ReactNode }
  /** Shown below the rows. */
  footer?: ReactNode
}

const PLACEHOLDER_ROWS = 5

/** A list that staff put in order: by dragging the handle of a row, or with Alt and the arrow keys. */
export function OrderedList<Item, List extends Endpoint>(props: Props<Item, List>) {
  const { name, items, query, errorTitle, empty, footer } = props
  if (query.error && !items)
    return <ErrorState error={query.error} title={errorTitle} retry={() => void query.refetch()} />
  if (!items)
    return (
      <Stack gap="sm" px="xl" py="md" aria-busy role="group" aria-label={name}>
        {Array.from({ length: PLACEHOLDER_ROWS }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
          <Skeleton key={i} height={52} />
        ))}
      </Stack>
    )
  return (
    <div className={css.scroller}>
      {items.length === 0 ? (
        <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
          {empty.text}
        </EmptyState>
      ) : (
        <Rows {...props} items={items} />
      )}
      {footer}
    </div>
  )
}

function Rows<Item, List extends Endpoint>(props: Props<Item, List> & { items: readonly Item[] }) {
  const { name, items, order, idOf, isNested, children, details, openId, onOpen, actions } = props
  const list = useRef<HTMLOListElement>(null)
  const { handlers, announcement } = useItemOrder(list, order)
  return (
    <>
      <ol ref={list} className={css.list} aria-label={name} {...handlers}>
        {items.map((item) => {
          const label = order.nameOf(item)
          return (
            <li
              key={idOf(item)}
              data-row
              data-nested={isNested?.(item) || undefined}
              data-open={idOf(item) === openId || undefined}
            >
              <ActionIcon
                size={28}
                className={css.handle}
                aria-label={format(texts.moveRow, { label })}
                title={texts.moveKeys}
                data-handle
              >
                <IconGripVertical size={16} aria-hidden />
              </ActionIcon>
              <button type="button" className={css.open} onClick={() => onOpen(item)}>
                {children(item)}
              </button>
              {details && <div className={css.details}>{details(item)}</div>}
              <RowMenu row={item} label={label} actions={actions} />
            </li>
          )
        })}
      </ol>
      <p className="sr" aria-live="assertive">
        {announcement}
      </p>
    </>
  )
}
