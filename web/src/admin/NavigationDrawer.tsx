import { Drawer } from '@mantine/core'
import { AdminNavigation } from './AdminNavigation.tsx'
import * as texts from './texts.ts'

type Props = { onSearch: () => void; onClose: () => void }

/** The navigation on a phone. */
export const NavigationDrawer = ({ onSearch, onClose }: Props) => (
  <Drawer
    opened
    onClose={onClose}
    size={304}
    withCloseButton={false}
    padding={0}
    styles={{ content: { background: 'var(--bg)' } }}
    attributes={{ content: { 'aria-label': texts.navigation } }}
  >
    <AdminNavigation onSearch={onSearch} />
  </Drawer>
)
