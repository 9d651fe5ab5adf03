import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useScheme } from './scheme.ts'
import { theme } from './theme.ts'

/**
 * The provider for Mantine's components. They are loaded with the first dialog, menu or toast; around the whole page it
 * would add 8 kB to every first visit.
 */
export function Mantine({ children }: { children: ReactNode }) {
  const scheme = useScheme((state) => state.scheme)
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      {children}
    </MantineProvider>
  )
}
