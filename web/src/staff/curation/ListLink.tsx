import type { curation } from '@dubplate/contract'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = { list: Pick<curation.StaffList, 'kind' | 'list_id'>; children: ReactNode }

/** A link to the editor of a spotlight or a top 20. */
export const ListLink = ({ list: { kind, list_id }, children }: Props) => (
  <Anchor
    c="inherit"
    fw={580}
    renderRoot={(props) => (
      <Link
        {...props}
        to="/staff/curation"
        search={{ open: String(list_id), ...(kind === 'top20' && { view: 'top20' }) }}
      />
    )}
  >
    {children}
  </Anchor>
)
