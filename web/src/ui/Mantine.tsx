import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { theme } from './theme.ts'

/**
 * The provider for Mantine's components. They are loaded with the first dialog, menu or toast; around the whole page it
 * would add 8 kB to every first visit.
 */
export function Mantine({ children }: { children: ReactNode }) {
  const scheme = usePreferences((preferences) => preferences.scheme)
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      {children}
    </MantineProvider>
  )
}
