import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import * as texts from './texts.ts'

type Props = {
  /** Names the table for screen readers. */
  name: string
  /** The headings of the columns; '' for buttons. The first column names the rows; the others are right-aligned. */
  head: readonly string[]
  /** Below this width, in px, the table scrolls sideways. */
  minWidth?: number
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A short table within a page, without pages, selection or actions. */
export const SimpleTable = ({ name, head, minWidth = 0, rows }: Props) => (
  // Focusable, so that the keyboard can scroll it.
  <Table.ScrollContainer minWidth={minWidth} type="native" role="group" aria-label={name} tabIndex={0}>
    <Table
      aria-label={name}
      fz="sm"
      verticalSpacing={7}
      horizontalSpacing="sm"
      borderColor="var(--line)"
      className="num"
    >
      <Table.Thead>
        <Table.Tr>
          {head.map((heading, i) => (
            <Table.Th
              key={heading}
              scope="col"
              ta={i > 0 ? 'end' : 'start'}
              pl={i > 0 ? 'sm' : 0}
              fz="xs"
              fw={520}
              c="dimmed"
            >
              {heading || <span className="sr">{texts.actions}</span>}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells: [title, ...cells] }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" pl={0} fw={500}>
              {title}
            </Table.Th>
            {cells.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are never reordered
              <Table.Td key={i} ta="end" style={{ whiteSpace: 'nowrap' }}>
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
