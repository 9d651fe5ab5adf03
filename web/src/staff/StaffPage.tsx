import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { findAdminPage } from '../admin/adminPages.ts'
import { Page } from '../platform/Page.tsx'

type Props = {
  title: string
  children: ReactNode
}

/** A page of the back office. The title of the tab also names the section: “Diaspora Disco · Songs”. */
export function StaffPage({ title, children }: Props) {
  const section = useLocation({ select: ({ pathname }) => findAdminPage(pathname)?.name })
  return (
    <Page title={title} section={section}>
      {children}
    </Page>
  )
}
