import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { theme } from '../theme.ts'

/**
 * Stands around each of Mantine's parts. They come with the first dialog, menu or toast; put around the whole page
 * this would cost every first visit 8 kB.
 */
export function Mantine({ children }: { children: ReactNode }) {
  const scheme = usePreferences((preferences) => preferences.scheme)
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      {children}
    </MantineProvider>
  )
}
