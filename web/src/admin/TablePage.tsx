import type { Pagination } from '@dubplate/contract'
import { ActionIcon, Box, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTabTitle } from '../platform/Page.tsx'
import { findAdminPage } from './adminPages.ts'
import { cappedCount, rowCount } from './cappedCount.ts'
import css from './TablePage.module.css'
import * as texts from './texts.ts'

type Props = {
  /** For a page about one thing, such as an import: its name, instead of the name of the page that lists them all. */
  title?: string
  /** The number of rows, beside the title. */
  total?: number | Pagination | undefined
  actions?: ReactNode
  /** Above the table: `ViewTabs`, notices. */
  top?: ReactNode
  /** The details of the row that is open. */
  panel?: ReactNode
  children: ReactNode
}

/** A page of the back office that is one table, exactly as high as the window: only the rows scroll. */
export function TablePage({ title, total, actions, top, panel, children }: Props) {
  const page = useLocation({ select: ({ pathname }) => findAdminPage(pathname) })
  useTabTitle(title ? `${title} · ${page?.name}` : page?.name)
  return (
    <div className={css.page} data-panel={panel ? true : undefined}>
      <div className={css.list}>
        <Group component="header" className={css.head} justify="space-between">
          <div>
            {title && (
              <Text component={Link} to={page?.to} fz="sm" c="var(--text-2)">
                {page?.name}
              </Text>
            )}
            <Title order={1} size={20} fw={680} style={{ overflowWrap: 'anywhere' }}>
              {title ?? page?.name}{' '}
              {total !== undefined && (
                <Text span className="num" ml={6} fz="lg" fw={450} c="var(--text-3)">
                  {totalText(total)}
                </Text>
              )}
            </Title>
          </div>
          {actions}
        </Group>
        {top}
        {children}
      </div>
      {panel}
    </div>
  )
}

const totalText = (total: number | Pagination): string =>
  cappedCount(typeof total === 'number' ? total : rowCount(total))

type PanelProps = {
  /** Names the panel: the title of the row. */
  label: string
  onClose: () => void
  /** Opens the row above or below; undefined at the ends of the page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  children: ReactNode
}

/** The details of a row beside the table; over it where there is no room for both. */
export function SidePanel({ label, onClose, onPrevious, onNext, children }: PanelProps) {
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const content = (
    <>
      <Group gap="xs" px={12} py={10}>
        {(onPrevious || onNext) && (
          <>
            <ActionIcon aria-label={texts.previousRow} disabled={!onPrevious} onClick={onPrevious}>
              <IconArrowUp size={17} stroke={1.8} />
            </ActionIcon>
            <ActionIcon aria-label={texts.nextRow} disabled={!onNext} onClick={onNext}>
              <IconArrowDown size={17} stroke={1.8} />
            </ActionIcon>
          </>
        )}
        <ActionIcon aria-label={texts.closePanel} ml="auto" onClick={onClose}>
          <IconX size={17} stroke={1.8} />
        </ActionIcon>
      </Group>
      <Box flex={1} mih={0} px={20} pb={20} style={{ overflowY: 'auto' }}>
        {children}
      </Box>
    </>
  )
  const frame = { gap: 0, h: '100%', mih: 0, bg: 'var(--surface)' }
  if (isWide)
    return (
      <Stack
        component="aside"
        aria-label={label}
        onKeyDown={closeOnEscape(onClose)}
        {...frame}
        style={{ borderLeft: '1px solid var(--line)' }}
      >
        {content}
      </Stack>
    )
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(100vw, 460px)"
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': label } }}
      styles={{ body: { height: '100%' } }}
    >
      <Stack {...frame}>{content}</Stack>
    </Drawer>
  )
}

/** Escape closes the panel, unless a menu or a list of options in it has used the key. */
const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent) => {
  const isUsed = event.isDefaultPrevented() || (event.target as Element).getAttribute('aria-expanded') === 'true'
  if (event.key === 'Escape' && !isUsed) onClose()
}
