import type { ReactNode } from 'react'
import { create } from 'zustand'
import * as texts from './texts.ts'

export type Toast = {
  title?: string
  message: ReactNode
  tone?: 'plain' | 'trouble'
  /** One thing that can be done about it. */
  action?: { label: string; run: () => void }
}

/** The stack of toasts is loaded with the first one. */
export const useToastStack = create(() => ({ isMounted: false }))

export async function toast(options: Toast) {
  // Offline before the first toast its code cannot come: the message is lost, the page is not.
  const code = await import('./Toasts.tsx').catch(() => undefined)
  if (!code) return
  useToastStack.setState({ isMounted: true })
  code.show(options)
}

/** Says in a toast why something did not work. */
export const toastError = (title: string, error: unknown) =>
  toast({
    title,
    message: error instanceof Error ? error.message : texts.somethingWentWrongTryAgain,
    tone: 'trouble',
  })
