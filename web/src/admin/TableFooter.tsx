import { Group, Pagination } from '@mantine/core'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { KeyHints } from './KeyHints.tsx'
import css from './ResourceTable.module.css'
import type { TableProps } from './ResourceTable.tsx'
import * as texts from './texts.ts'

type Props<Row> = TableProps<Row> & { isNarrow: boolean }

/** Which rows are shown, what the keys do, and the other pages. */
export function TableFooter<Row>({
  pagination,
  onPage,
  rowActions = [],
  bulkActions,
  onOpen,
  footer,
  isNarrow,
}: Props<Row>) {
  const hints = [
    { keys: ['J', 'K'], label: texts.moveKey },
    ...(bulkActions ? [{ keys: ['X'], label: texts.selectKey }] : []),
    ...(onOpen ? [{ keys: ['Enter'], label: texts.openKey }] : []),
    ...rowActions.flatMap(({ key, label }) =>
      key ? [{ keys: [key.toUpperCase()], label: label.replace(/…$/, '') }] : [],
    ),
  ]
  const last = pagination ? Math.ceil(pagination.totalCount / pagination.perPageLimit) : 1
  if (isNarrow && !pagination) return null
  return (
    <footer className={css.footer}>
      {pagination && (
        <span className="num" style={{ whiteSpace: 'nowrap' }}>
          {rangeText(pagination)}
        </span>
      )}
      <Group gap="md" wrap="nowrap" flex={footer ? 1 : undefined} miw={0} c="var(--text-3)" fz="xs" visibleFrom="sm">
        {footer ?? <KeyHints hints={hints} />}
      </Group>
      {pagination && last > 1 && (
        <Pagination
          flex="none"
          size="sm"
          total={last}
          value={pagination.page}
          {...(onPage ? { onChange: onPage } : {})}
          siblings={isNarrow ? 0 : 1}
          boundaries={1}
          classNames={{ control: css.pageButton ?? '' }}
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? texts.nextPage : texts.previousPage })}
          getItemProps={(page) => ({ 'aria-label': format(texts.pageNumber, { page: count(page) }) })}
          aria-label={texts.pagesNavigation}
        />
      )}
    </footer>
  )
}

const rangeText = ({ page, perPageLimit, totalCount, more }: NonNullable<Props<unknown>['pagination']>) =>
  format(more ? texts.rangeOfMoreThanTotal : texts.rangeOfTotal, {
    from: count((page - 1) * perPageLimit + 1),
    to: count(Math.min(page * perPageLimit, totalCount)),
    total: count(totalCount),
  })
